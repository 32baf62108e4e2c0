//! The terminal that the command was started from: what is asked there is not shown as it is typed, and does
//! not pass through standard input or output.

use crate::error::Error;
use zeroize::Zeroizing;

/// The longest line that is read: more than a terminal hands on at once.
const LONGEST: usize = 1 << 12;

/// Asks for a secret; the answer is without its end of a line.
pub(crate) fn ask(question: &str) -> Result<Zeroizing<String>, Error> {
    let terminal = system::open()?;
    let answer = {
        // First: whatever is typed once the question stands there is not shown.
        let _silent = system::Silent::new(&terminal)?;
        system::say(&terminal, question)?;
        system::line(&terminal, LONGEST)
    };
    // The end of the line was not shown either.
    system::say(&terminal, "\n")?;
    let answer = answer?;
    match str::from_utf8(&answer) {
        Ok(text) => Ok(Zeroizing::new(text.to_owned())),
        Err(_) => Err(Error::Usage("what was typed is not UTF-8 text".into())),
    }
}

/// Shows something there, for whoever sits there alone.
pub(crate) fn show(text: &str) -> Result<(), Error> {
    system::say(&system::open()?, text)
}

#[cfg(unix)]
mod system {
    use crate::error::Error;
    use crate::unfinished::{WhenInterrupted, when_interrupted};
    use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr};
    use std::fs::{File, OpenOptions};
    use std::io::{self, Read, Write};
    use zeroize::Zeroizing;

    /// The terminal of the process, whatever its standard input is.
    pub(super) fn open() -> Result<File, Error> {
        OpenOptions::new().read(true).write(true).open("/dev/tty").map_err(|_| Error::NoTerminal)
    }

    pub(super) fn say(mut terminal: &File, text: &str) -> Result<(), Error> {
        terminal.write_all(text.as_bytes()).map_err(failed)
    }

    /// A line without its end; what comes before the end of the input, if there is no line.
    pub(super) fn line(mut terminal: &File, most: usize) -> Result<Zeroizing<Vec<u8>>, Error> {
        // The memory is all there, so that no copy of a secret is left behind by a vector that grew.
        let (mut line, mut byte) = (Zeroizing::new(Vec::with_capacity(most)), Zeroizing::new([0]));
        while line.len() < most {
            match terminal.read(byte.as_mut()) {
                Ok(0) if line.is_empty() => return Err(Error::Usage("no passphrase was typed".into())),
                Ok(0) => break,
                Ok(_) if byte[0] == b'\n' => break,
                Ok(_) => line.push(byte[0]),
                Err(why) if why.kind() == io::ErrorKind::Interrupted => {}
                Err(why) => return Err(failed(why)),
            }
        }
        if line.len() == most {
            return Err(Error::TooLong { name: "what was typed".into(), limit: most - 1 });
        }
        Ok(line)
    }

    /// While this lives, the terminal does not show what is typed; nor are there keys that stop the command
    /// and leave it so. The one that interrupts it sets the terminal right.
    pub(super) struct Silent<'a> {
        terminal: &'a File,
        before: Termios,
        _restored: WhenInterrupted,
    }

    impl<'a> Silent<'a> {
        /// What was typed before is thrown away: it was shown.
        pub(super) fn new(terminal: &'a File) -> Result<Self, Error> {
            let of_system = |why: rustix::io::Errno| failed(why.into());
            let before = tcgetattr(terminal).map_err(of_system)?;
            let (theirs, after) = (terminal.try_clone().map_err(failed)?, before.clone());
            let restored = when_interrupted(move || restore(&theirs, &after));
            tcsetattr(terminal, OptionalActions::Flush, &silent(&before)).map_err(of_system)?;
            Ok(Silent { terminal, before, _restored: restored })
        }
    }

    fn silent(before: &Termios) -> Termios {
        const NO_KEY: u8 = 0;
        let mut modes = before.clone();
        modes.local_modes.remove(LocalModes::ECHO | LocalModes::ECHONL);
        modes.local_modes.insert(LocalModes::ICANON | LocalModes::ISIG);
        modes.special_codes[SpecialCodeIndex::VSUSP] = NO_KEY;
        modes.special_codes[SpecialCodeIndex::VQUIT] = NO_KEY;
        modes
    }

    fn restore(terminal: &File, modes: &Termios) {
        // A failure can't be told to anybody here.
        let _ = tcsetattr(terminal, OptionalActions::Drain, modes);
    }

    impl Drop for Silent<'_> {
        fn drop(&mut self) {
            restore(self.terminal, &self.before);
        }
    }

    fn failed(why: io::Error) -> Error {
        Error::Read { name: "the terminal".into(), why }
    }
}

#[cfg(not(unix))]
mod system {
    use crate::error::Error;
    use std::fs::File;
    use zeroize::Zeroizing;

    pub(super) fn open() -> Result<File, Error> {
        Err(Error::NoTerminal)
    }

    pub(super) fn say(_: &File, _: &str) -> Result<(), Error> {
        Err(Error::NoTerminal)
    }

    pub(super) fn line(_: &File, _: usize) -> Result<Zeroizing<Vec<u8>>, Error> {
        Err(Error::NoTerminal)
    }

    pub(super) struct Silent;

    impl Silent {
        pub(super) fn new(_: &File) -> Result<Self, Error> {
            Err(Error::NoTerminal)
        }
    }
}
