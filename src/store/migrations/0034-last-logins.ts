// The last login is that of a person, and a session shows the one before its own. It was the last use of a key; the
// audit log knows the sign-ins.
import type { Migration } from './migration.ts';

const signIn = "audit.operation in ('v2.sessionCreate', 'v2.challengeAnswer') and audit.outcome = 'success'";
const newest = 'order by audit.id desc limit 1';

export const lastLogins: Migration = {
  name: '0034-last-logins',
  statements: ({ integer }) => [
    `alter table keys add column previous_login_at ${integer}`,
    'alter table keys add column previous_login_address text',
    'alter table keys add column previous_login_host text',
    `update accounts set (last_login_at, last_login_address, last_login_host) =
  (select at, address, null from audit where audit.account_id = accounts.id and ${signIn} ${newest})`,
    `update keys set (previous_login_at, previous_login_address) =
  (select at, address from audit where audit.account_id = keys.account_id and audit.key_id < keys.id and ${signIn} ${newest})
  where kind = 'session' and account_id is not null and operator_id is null`,
  ],
};
