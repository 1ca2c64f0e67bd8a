"""Run answers in locked processes that know no reference, and judge outside what they returned."""
