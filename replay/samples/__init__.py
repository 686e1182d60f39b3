"""The sample set: fights that anybody can build again, bit by bit, to try questions on."""
