package runtime

import (
	"context"
	"math/rand/v2"
	"time"
)

// batchAttempts is how often a batch is sent before what is left of it is an error.
const batchAttempts = 8

// longestPause is the longest wait before an attempt: it doubles with every attempt, up to two seconds.
func longestPause(attempt int) time.Duration {
	return min(25*time.Millisecond<<min(attempt, 7), 2*time.Second)
}

// pause waits a random part of the longest time; the first attempt does not wait.
func pause(ctx context.Context, attempt int) error {
	if attempt == 0 {
		return ctx.Err()
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(rand.N(longestPause(attempt))):
		return nil
	}
}
