"""What the whole suite shares."""

import pytest

pytest.register_assert_rewrite("tests.helpers", "tests.strategy_contract")
