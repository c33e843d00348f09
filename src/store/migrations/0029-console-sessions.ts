// Console sessions of dedicated servers: who may use the controller's console through the gateway, and the ports that
// forward to it. A session ends with its BMC user.
import type { Migration } from './migration.ts';

export const consoleSessions: Migration = {
  name: '0029-console-sessions',
  statements: ({ integer }) => [
    `alter table servers add column has_web_page ${integer} not null default 0`,
    `create table console_sessions (
  id text primary key not null, account_id ${integer} not null references accounts (id), service_id ${integer} not null,
  key_id ${integer} not null, address text not null, server text not null, username text not null, password text not null,
  link text, link_expires_at ${integer}, cookie text, expires_at ${integer} not null,
  foreign key (server, username) references bmc_users (server, name) on delete cascade)`,
    'create index console_sessions_of_user on console_sessions (server, username)',
    `create table console_forwards (
  port ${integer} primary key not null, session_id text not null references console_sessions (id) on delete cascade,
  target ${integer} not null)`,
    'create index console_forwards_of_session on console_forwards (session_id)',
  ],
};
