"""The settings of hypothesis for all tests."""

from hypothesis import HealthCheck, settings

# A busy machine is slow now and then: that is no fault of the code under test.
settings.register_profile("arena", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("arena")
