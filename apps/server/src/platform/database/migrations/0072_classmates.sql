-- Whether members see each other's names and returns.
alter table app.classes add column members_see_each_other boolean not null default false;
