"""What the tests of replay share."""

import structlog

structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
