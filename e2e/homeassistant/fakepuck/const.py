"""Words that the parts share. Events go both ways: hear, press, turn and hold come in, said goes out."""

DOMAIN = "fakepuck"
HEAR = "fakepuck_hear"
PRESS = "fakepuck_press"
TURN = "fakepuck_turn"
HOLD = "fakepuck_hold"
SAID = "fakepuck_said"

VOLUME_STEP = 0.05
VOLUME_MIN = 0.4
VOLUME_MAX = 0.85
