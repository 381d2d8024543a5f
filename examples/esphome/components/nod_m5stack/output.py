import esphome.codegen as cg
from esphome.components import i2c, output
import esphome.config_validation as cv
from esphome.const import CONF_BOARD, CONF_ID

DEPENDENCIES = ["i2c"]

nod_m5stack_ns = cg.esphome_ns.namespace("nod_m5stack")
Backlight = nod_m5stack_ns.class_(
    "Backlight", output.FloatOutput, cg.Component, i2c.I2CDevice
)
Board = nod_m5stack_ns.enum("Board", is_class=True)

BOARDS = {"core2": Board.CORE2, "cores3": Board.CORES3}

CONFIG_SCHEMA = (
    output.FLOAT_OUTPUT_SCHEMA.extend(
        {
            cv.Required(CONF_ID): cv.declare_id(Backlight),
            cv.Required(CONF_BOARD): cv.enum(BOARDS, lower=True),
        }
    )
    .extend(cv.COMPONENT_SCHEMA)
    .extend(i2c.i2c_device_schema(0x34))
)


async def to_code(config):
    var = cg.new_Pvariable(config[CONF_ID])
    await cg.register_component(var, config)
    await output.register_output(var, config)
    await i2c.register_i2c_device(var, config)
    cg.add(var.set_board(config[CONF_BOARD]))
