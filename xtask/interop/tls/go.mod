module ringsmith.example/interop/tls

go 1.26
