-- What support did, computed from messages, closes and ratings (A69). Nothing is stored.
create view api.support_metrics as
  select null::date as date, 0 as "totalSessions", null::numeric as "averageResponseTime", null::numeric as "resolutionRate",
         null::numeric as "customerSatisfaction", 0 as "activeChats", 0 as "dailyInteractions" where false;
