"""Adds a puck: its six hexadecimal digits, its room, and whether its firmware tells of the dial."""

import voluptuous as vol

from homeassistant.config_entries import ConfigFlow

from .const import DOMAIN

SCHEMA = vol.Schema({vol.Required("id"): str, vol.Optional("area", default=""): str, vol.Optional("dial", default=False): bool})


class PuckFlow(ConfigFlow, domain=DOMAIN):
    """One form."""

    VERSION = 1

    async def async_step_user(self, user_input=None):
        """Ask for the puck."""
        if user_input is None:
            return self.async_show_form(step_id="user", data_schema=SCHEMA)
        await self.async_set_unique_id(user_input["id"])
        self._abort_if_unique_id_configured()
        return self.async_create_entry(title=f"Home Assistant Voice {user_input['id']}", data=user_input)
