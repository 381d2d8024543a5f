"""What all entities of a puck have in common: the device, and names as the real firmware gives them."""

from homeassistant.core import callback
from homeassistant.helpers.device_registry import DeviceInfo
from homeassistant.helpers.entity import Entity

from .const import DOMAIN


class PuckEntity(Entity):
    """A part of one puck."""

    _attr_has_entity_name = True
    _attr_should_poll = False

    def __init__(self, entry, name: str) -> None:
        """Belong to the puck of this entry."""
        self.puck = entry.data["id"]
        self._attr_name = name
        self._attr_unique_id = f"{self.puck}-{name.lower().replace(' ', '_')}"
        self._attr_device_info = DeviceInfo(
            identifiers={(DOMAIN, self.puck)},
            name=entry.title,
            manufacturer="Nabu Casa",
            model="Home Assistant Voice PE",
            suggested_area=entry.data["area"] or None,
        )

    def when(self, event_type: str, do) -> None:
        """Call do with the data of every such event that is meant for this puck."""

        @callback
        def heard(event) -> None:
            if event.data.get("puck") == self.puck:
                do(event.data)

        self.async_on_remove(self.hass.bus.async_listen(event_type, heard))
