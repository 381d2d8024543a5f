"""The ring of LEDs as the stock firmware shows it: one colour for all."""

from homeassistant.components.light import ColorMode, LightEntity
from homeassistant.const import EntityCategory

from .entity import PuckEntity


async def async_setup_entry(hass, entry, add) -> None:
    """Add the ring."""
    add([Ring(entry, "LED Ring")])


class Ring(PuckEntity, LightEntity):
    """Keeps what was asked of it."""

    _attr_entity_category = EntityCategory.CONFIG
    _attr_supported_color_modes = {ColorMode.RGB}
    _attr_color_mode = ColorMode.RGB
    _attr_is_on = False
    _attr_rgb_color = (24, 187, 242)
    _attr_brightness = 168

    async def async_turn_on(self, **kwargs) -> None:
        """Light up."""
        self._attr_is_on = True
        self._attr_rgb_color = kwargs.get("rgb_color", self._attr_rgb_color)
        self._attr_brightness = kwargs.get("brightness", self._attr_brightness)
        self.async_write_ha_state()

    async def async_turn_off(self, **kwargs) -> None:
        """Go dark, and remember the colour."""
        self._attr_is_on = False
        self.async_write_ha_state()
