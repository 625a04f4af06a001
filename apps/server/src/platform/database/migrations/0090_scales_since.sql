-- A factor keeps its row when a later one takes over: a contest states since when its prices have another one (decision 32). The latest one counts.
alter table app.simulated_scales drop constraint simulated_scales_pkey;
alter table app.simulated_scales add primary key (path, symbol, since);
