package main

// deepen makes room on the goroutine's stack in one step. Else a check's way down
// into a parser grows it four times from 2 KiB on, each time by a copy into memory
// that the program touches for the first time.
//
//go:noinline
func deepen(n int) byte {
	if n == 0 {
		return 0
	}
	var room [32 << 10]byte // it is the frame that counts; this is never reached
	room[n] = 1
	return room[n/2]
}
