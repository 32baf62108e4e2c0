module ringsmith.example/interop

go 1.24
