"""The screen and the buttons of a device, drawn and understood by a nod hub."""

import json
from urllib.parse import urlsplit

import esphome.codegen as cg
from esphome.components import binary_sensor, display, esp32, light, rtttl
import esphome.config_validation as cv
from esphome.const import (
    CONF_DISPLAY_ID,
    CONF_HEIGHT,
    CONF_ID,
    CONF_NAME,
    CONF_URL,
    CONF_WIDTH,
    Framework,
)

DEPENDENCIES = ["esp32", "network", "display", "light", "rtttl", "binary_sensor"]
AUTO_LOAD = ["json"]

CONF_BACKLIGHT = "backlight"
CONF_BEEPER = "beeper"
CONF_BUTTONS = "buttons"
CONF_CA = "ca"
CONF_LANGUAGE = "language"
CONF_SLEEP_AFTER = "sleep_after"
CONF_TOKEN = "token"

nod_screen_ns = cg.esphome_ns.namespace("nod_screen")
NodScreen = nod_screen_ns.class_("NodScreen", cg.Component)


def hub_address(value):
    value = cv.string_strict(value)
    try:
        parts = urlsplit(value)
        _ = parts.port
    except ValueError as err:
        raise cv.Invalid(f"This is no address of a hub: {err}") from err
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise cv.Invalid("A hub's address looks like https://desk.local:8742")
    if parts.hostname in ("localhost", "127.0.0.1", "::1"):
        raise cv.Invalid(f"{parts.hostname} would be this device itself; give the hub's name on the network")
    return value


def token(value):
    value = cv.string_strict(value)
    if not value or not value.isascii() or not value.isprintable() or " " in value:
        raise cv.Invalid("This is no token; `nod token create` prints one")
    return value


def certificate(value):
    path = cv.file_(value)
    if "-----BEGIN CERTIFICATE-----" not in path.read_text(encoding="utf-8"):
        raise cv.Invalid(f"{path} holds no certificate in PEM form")
    return path


CONFIG_SCHEMA = cv.All(
    cv.Schema(
        {
            cv.GenerateID(): cv.declare_id(NodScreen),
            cv.Required(CONF_URL): hub_address,
            cv.Required(CONF_TOKEN): cv.sensitive(token),
            cv.Optional(CONF_CA): certificate,
            cv.Optional(CONF_NAME, default=""): cv.All(
                cv.string_strict, cv.Length(max=40)
            ),
            cv.Optional(CONF_LANGUAGE, default="en"): cv.one_of(
                "en", "pl", "ja", lower=True
            ),
            cv.Required(CONF_DISPLAY_ID): cv.use_id(display.Display),
            cv.Optional(CONF_WIDTH, default=320): cv.int_range(240, 800),
            cv.Optional(CONF_HEIGHT, default=240): cv.int_range(135, 600),
            cv.Optional(CONF_BACKLIGHT): cv.use_id(light.LightState),
            cv.Optional(CONF_BEEPER): cv.use_id(rtttl.Rtttl),
            cv.Required(CONF_BUTTONS): cv.Schema(
                {
                    cv.Required(key): cv.use_id(binary_sensor.BinarySensor)
                    for key in ("a", "b", "c")
                }
            ),
            # How long a dimmed screen stays on; 0s: for ever.
            cv.Optional(
                CONF_SLEEP_AFTER, default="10min"
            ): cv.positive_time_period_milliseconds,
        }
    ).extend(cv.COMPONENT_SCHEMA),
    cv.only_with_framework(Framework.ESP_IDF),
)


def hello(config):
    return json.dumps(
        {
            "type": "hello",
            "width": config[CONF_WIDTH],
            "height": config[CONF_HEIGHT],
            "format": "rgb565",
            "max_bytes": 16384,
            "buttons": 3,
            "language": config[CONF_LANGUAGE],
            "name": config[CONF_NAME],
        },
        separators=(",", ":"),
        ensure_ascii=False,  # it has to fit into a line of the link
    )


async def to_code(config):
    screen = await cg.get_variable(config[CONF_DISPLAY_ID])
    var = cg.new_Pvariable(
        config[CONF_ID], screen, config[CONF_WIDTH], config[CONF_HEIGHT]
    )
    await cg.register_component(var, config)

    url = urlsplit(config[CONF_URL])
    secure = url.scheme == "https"
    port = url.port or (443 if secure else 80)
    cg.add(var.set_hub(url.hostname, port, secure, url.path.rstrip("/") + "/v1/screen"))
    cg.add(var.set_headers(f"Authorization: Bearer {config[CONF_TOKEN]}\r\n"))
    cg.add(var.set_hello(hello(config)))
    if ca := config.get(CONF_CA):
        cg.add(var.set_ca(ca.read_text(encoding="utf-8")))
    if backlight := config.get(CONF_BACKLIGHT):
        cg.add(var.set_backlight(await cg.get_variable(backlight)))
    if beeper := config.get(CONF_BEEPER):
        cg.add(var.set_beeper(await cg.get_variable(beeper)))
    for index, key in enumerate(("a", "b", "c")):
        button = await cg.get_variable(config[CONF_BUTTONS][key])
        cg.add(var.set_button(index, button))
    cg.add(var.set_sleep_after(config[CONF_SLEEP_AFTER]))

    esp32.add_idf_sdkconfig_option("CONFIG_WS_TRANSPORT", True)
    if secure:
        esp32.add_idf_sdkconfig_option("CONFIG_MBEDTLS_CERTIFICATE_BUNDLE", True)
    if config[CONF_SLEEP_AFTER].total_milliseconds > 0:
        esp32.add_idf_sdkconfig_option("CONFIG_PM_ENABLE", True)
        esp32.add_idf_sdkconfig_option("CONFIG_FREERTOS_USE_TICKLESS_IDLE", True)
