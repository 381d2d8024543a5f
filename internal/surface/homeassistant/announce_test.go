package homeassistant

import (
	"context"
	"testing"
	"time"

	"nod"
)

// A restart of Home Assistant takes longer than the time to answer. No person could
// answer meanwhile, so the question is asked again.
func TestQuestionSurvivesLongRestart(t *testing.T) {
	for _, away := range []time.Duration{5 * time.Second, 14 * time.Second, 5 * time.Minute} {
		inBubble(t, nil, func(s *rig) {
			id := s.listensFor("r1", "make")
			s.server.Away(true)
			s.pass(away)
			s.server.Away(false)
			s.allows(id, "Run make?")
			s.silent(20 * time.Second)
		})
	}
}

func (s *rig) announce(id, text string) <-chan error {
	done := make(chan error, 1)
	go func() { done <- s.surface.Announce(context.Background(), id, text) }()
	return done
}

func TestLateAnswerIsAnnounced(t *testing.T) {
	inBubble(t, nil, func(s *rig) {
		done := s.announce(s.puck.Satellite, "It is done.")
		s.hears("It is done.")
		if err := <-done; err != nil {
			s.Error(err)
		}
	})
}

// An announcement does not cut off a question.
func TestAnnouncementWaitsForAnswer(t *testing.T) {
	inBubble(t, nil, func(s *rig) {
		id := s.listensFor("r1", "make")
		done := s.announce(s.puck.Satellite, "It is done.")
		s.silent(3 * time.Second)
		s.says("yes")
		s.hears("It is done.")
		s.decided(id, "allow via homeassistant")
		if err := <-done; err != nil {
			s.Error(err)
		}
	})
}

// An announcement waits while a person speaks to Home Assistant itself, but not
// forever for a satellite that hangs.
func TestAnnouncementWaitsForBusySatellite(t *testing.T) {
	inBubble(t, nil, func(s *rig) {
		s.server.Set(s.puck.Satellite, "processing", nil)
		s.pass(time.Second)
		if got := s.surface.Answering(); got != s.puck.Satellite {
			s.Errorf("%q is answered", got)
		}
		done := s.announce(s.puck.Satellite, "It is done.")
		s.silent(busyLimit - time.Second)
		s.hears("It is done.")
		if err := <-done; err != nil {
			s.Error(err)
		}
	})
}

// Ids come from an unauthenticated wire.
func TestAnnounceRefusesOtherEntities(t *testing.T) {
	inBubble(t, nil, func(s *rig) {
		for _, id := range []string{"", "all", "assist_satellite.", "assist_satellite.a, assist_satellite.b", "light.kitchen", "assist_satellite.*"} {
			if err := s.surface.Announce(s.Context(), id, "Boo."); nod.CodeOf(err) != nod.Invalid {
				s.Errorf("%q: %v", id, err)
			}
		}
		s.silent(time.Second)
	})
}

func TestAnsweringIsEmptyForSeveralSatellites(t *testing.T) {
	set := func(s *rig) {
		s.puck = s.server.VoicePE("09f5a3", true)
		s.server.Set(s.server.VoicePE("0a11ce", true).Satellite, "processing", nil)
	}
	inBubble(t, set, func(s *rig) {
		s.server.Set(s.puck.Satellite, "processing", nil)
		s.pass(time.Second)
		if got := s.surface.Answering(); got != "" {
			s.Errorf("%q is answered", got)
		}
	})
}
