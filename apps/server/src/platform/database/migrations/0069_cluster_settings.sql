-- What all processes of a cluster share, as hashes: a process that would decide by other rules is refused. See platform/cluster/agreement.
create table app.cluster_settings (
  name text primary key,
  -- SHA-256 of the value, hex.
  hash text not null check (hash ~ '^[0-9a-f]{64}$')
);
