-- Messages of tutors and admins to the members of a class. Each member also has it as a notification.
create table app.class_messages (
  id uuid primary key default gen_random_uuid(),
  class_id uuid not null references app.classes (id),
  sender_id uuid references app.users (id) on delete set null,
  client_id text not null,
  subject text not null check (length(subject) between 1 and 100),
  message text not null check (length(message) between 1 and 1000),
  recipients integer not null,
  created_at timestamptz not null,
  unique (sender_id, client_id)
);
create index class_messages_class on app.class_messages (class_id);
