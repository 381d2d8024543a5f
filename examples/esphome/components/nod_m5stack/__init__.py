"""Power, reset lines and backlight of the M5Stack Core2 and CoreS3."""
