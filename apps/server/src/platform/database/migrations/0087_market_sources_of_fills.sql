-- The source of the market's price at a fill, by which the prices of a contest are checked (decision 32). Null for fills of releases before, and
-- where no price was known. No client reads it.
alter table app.executions add column market_source text;
