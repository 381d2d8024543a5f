package homeassistant

import (
	"testing"
	"time"

	"nod"
)

// quiet: Home Assistant logs an error for every call that comes while a satellite is busy.
func (s *rig) quiet() {
	s.Helper()
	if n := s.puck.Refused(); n > 0 {
		s.Errorf("%d calls came while the satellite was busy", n)
	}
}

// slow is a satellite that takes as long to speak as a real one.
func slow(s *rig) { s.server.Speak = 8 * time.Second }

// Answered on a phone while the satellite still reads the question out.
func TestAnswerElsewhereWhileItSpeaks(t *testing.T) {
	inBubble(t, slow, func(s *rig) {
		id := s.ask("r1", "make", nil)
		s.hears("Run make?")
		s.Decide(id, nod.VerdictDeny)
		s.hears("Done elsewhere.")
		s.eventually("the microphone is closed", func() bool { return !s.puck.Listening() })
		s.silent(time.Minute)
		s.quiet()
	})
}

// The next question comes while the satellite still reads the one before.
func TestNextRequestWhileItSpeaks(t *testing.T) {
	inBubble(t, slow, func(s *rig) {
		first := s.ask("r1", "make one", nil)
		s.hears("Run make one?")
		second := s.ask("r2", "make two", nil)
		s.puck.Press("double_press")
		s.decided(first, "allow via homeassistant")
		s.allows(second, "Second of this task: run make two?")
		s.quiet()
	})
}

// A person speaks to Home Assistant itself, which then answers: nod waits for both.
func TestRequestWaitsForAPersonWhoSpeaks(t *testing.T) {
	inBubble(t, nil, func(s *rig) {
		s.server.Set(s.puck.Satellite, "listening", nil)
		s.pass(time.Second) // until nod knows
		id := s.ask("r1", "make", nil)
		for _, state := range []string{"processing", "responding"} {
			s.silent(5 * time.Second)
			s.server.Set(s.puck.Satellite, state, nil)
		}
		s.silent(5 * time.Second)
		s.server.Set(s.puck.Satellite, "idle", nil)
		s.allows(id, "Run make?")
		s.quiet()
	})
}

// A satellite that is never idle again is spoken to after a while.
func TestSatelliteThatHangsDoesNotBlock(t *testing.T) {
	for _, state := range []string{"listening", "processing", "responding"} {
		inBubble(t, nil, func(s *rig) {
			s.server.Set(s.puck.Satellite, state, nil)
			s.pass(time.Second)
			id := s.ask("r1", "make", nil)
			s.silent(busyLimit - time.Second)
			s.allows(id, "Run make?")
		})
	}
}

// Home Assistant refuses to close the microphone of a question that was answered elsewhere. What is announced does
// not wait for that question.
func TestStaleQuestionDoesNotBlockAnnouncements(t *testing.T) {
	inBubble(t, nil, func(s *rig) {
		id := s.listensFor("r1", "make")
		s.server.Break("assist_satellite.announce", "home_assistant_error", "")
		s.Decide(id, nod.VerdictDeny)
		s.pass(2 * time.Minute)
		if n := len(s.server.Calls("assist_satellite.announce")); n > 20 {
			s.Errorf("it was tried %d times", n)
		}
		s.server.Break("assist_satellite.announce", "", "")
		done := s.announce(s.puck.Satellite, "It is done.")
		s.hears("It is done.")
		if err := <-done; err != nil {
			s.Error(err)
		}
	})
}

// A satellite that nod does not attend is asked for its state first, too.
func TestAnnouncementAtAnotherSatellite(t *testing.T) {
	inBubble(t, func(s *rig) {
		s.config.Satellites = []string{"Nowhere"}
	}, func(s *rig) {
		s.server.Set(s.puck.Satellite, "responding", nil)
		done := s.announce(s.puck.Satellite, "It is done.")
		s.silent(5 * time.Second)
		s.server.Set(s.puck.Satellite, "idle", nil)
		s.hears("It is done.")
		if err := <-done; err != nil {
			s.Error(err)
		}
		if err := s.surface.Announce(s.Context(), "assist_satellite.gone", "Hello?"); nod.CodeOf(err) != nod.NotFound {
			s.Errorf("a satellite that is not there: %v", err)
		}
	})
}
