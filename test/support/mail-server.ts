// A real mail server: postfix, which requires STARTTLS and a password to relay, delivers to dovecot, from which messages
// are read back over IMAP with curl. Requires root, because both change to their own users.
import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import PostalMime, { type Email } from 'postal-mime';
import type { SiteRelay } from '#contract/site/mail.ts';
import { selfSignedCertificate } from '#lib/certificate.ts';
import { startDaemon } from './daemon.ts';
import { temporaryFolder } from './folder.ts';
import { needsRoot, type SuiteOptions } from './needs.ts';
import { freePort } from './ports.ts';
import { withResources } from './resources.ts';
import { until, untilDefined } from './until.ts';

const run = promisify(execFile);
const password = 'a-password-with-"quotes"';
export const mailDomain = 'customers.example';
/** A domain whose messages postfix takes, and hands to the next mail server. */
export const remoteDomain = 'remote.example';
/** A mailbox that holds one message, and then is full. */
export const smallMailbox = `small@${mailDomain}`;

export interface ReceivedMail {
  readonly source: string;
  readonly email: Email;
}
export interface MailServer extends AsyncDisposable {
  readonly relay: SiteRelay;
  /** Returns the messages of a mailbox, once there are that many. */
  received(address: string, count: number): Promise<ReceivedMail[]>;
}

export function needsMailServer(): SuiteOptions {
  return needsRoot('postfix', 'dovecot', 'curl', 'dkimverify');
}

/** `remotePort` is that of the mail server of the remote domain. */
export async function startMailServer(remotePort: number): Promise<MailServer> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('mail'));
  await chmod(folder.path, 0o755);
  const ports = {
    smtp: await freePort(),
    imap: await freePort(),
    lmtp: await freePort(),
    auth: await freePort(),
    quota: await freePort(),
    remote: remotePort,
  };
  const certificate = selfSignedCertificate({ name: 'relay', hosts: ['127.0.0.1'], notBefore: new Date(), days: 2 });
  await startDovecot(owned, folder.path, ports);
  await startPostfix(owned, folder.path, ports, certificate);

  async function imap(address: string, path: string, ...more: string[]): Promise<string> {
    const url = `imap://127.0.0.1:${ports.imap}/${path}`;
    const { stdout } = await run(
      'curl',
      ['--silent', '--show-error', '--user', `${address}:${password}`, url, ...more],
      {
        maxBuffer: 10_000_000,
      },
    );
    return stdout;
  }

  return withResources(owned, {
    relay: {
      host: '127.0.0.1',
      port: ports.smtp,
      security: 'starttls',
      username: `provider@${mailDomain}`,
      password,
      certificateAuthority: certificate.certificate,
    },
    async received(address, count) {
      const uids = await untilDefined(async () => {
        const found = /\* SEARCH([ \d]*)/.exec(await imap(address, 'INBOX', '-X', 'UID SEARCH ALL'))?.[1] ?? '';
        const all = found.trim().split(' ').filter(Boolean);
        return all.length >= count ? all : undefined;
      });
      return Promise.all(
        uids.map(async (uid) => {
          const source = await imap(address, `INBOX;UID=${uid}`);
          return { source, email: await PostalMime.parse(source) };
        }),
      );
    },
  });
}

type Ports = Readonly<Record<'smtp' | 'imap' | 'lmtp' | 'auth' | 'quota' | 'remote', number>>;

async function startDovecot(owned: AsyncDisposableStack, folder: string, ports: Ports): Promise<void> {
  const mailboxes = join(folder, 'mailboxes');
  await mkdir(mailboxes);
  await chown(mailboxes, 8, 8);
  const listener = (name: string, port: number): string =>
    `inet_listener ${name} {\n address = 127.0.0.1\n port = ${port}\n }`;
  const users = join(folder, 'users');
  await writeFile(users, `${smallMailbox}::8:8::::userdb_quota_rule=*:messages=1\n`);
  const file = join(folder, 'dovecot.conf');
  await writeFile(
    file,
    `base_dir = ${folder}/dovecot
state_dir = ${folder}/dovecot
log_path = /dev/stderr
protocols = imap lmtp
ssl = no
disable_plaintext_auth = no
mail_location = maildir:${mailboxes}/%u
mail_plugins = quota
first_valid_uid = 8
first_valid_gid = 8
auth_mechanisms = plain login
passdb {
  driver = static
  args = password=${password}
}
userdb {
  driver = passwd-file
  args = username_format=%u ${users}
}
userdb {
  driver = static
  args = uid=8 gid=8 home=${mailboxes}/%u allow_all_users=yes
}
plugin {
  quota = count:User quota
  quota_vsizes = yes
  quota_status_success = DUNNO
  quota_status_nouser = DUNNO
  quota_status_overquota = 552 5.2.2 Mailbox is full
}
service imap-login {
  ${listener('imap', ports.imap)}
}
service lmtp {
  ${listener('lmtp', ports.lmtp)}
}
service auth {
  ${listener('sasl', ports.auth)}
}
service quota-status {
  executable = quota-status -p postfix
  ${listener('quota', ports.quota)}
  client_limit = 1
}
`,
  );
  const daemon = owned.use(await startDaemon('dovecot', ['-F', '-c', file], { stopSignal: 'SIGTERM' }));
  await listening(ports.imap, daemon.output);
  await listening(ports.auth, daemon.output);
}

async function startPostfix(
  owned: AsyncDisposableStack,
  folder: string,
  ports: Ports,
  certificate: { readonly certificate: string; readonly key: string },
): Promise<void> {
  const config = join(folder, 'postfix');
  const queue = join(folder, 'queue');
  const data = join(folder, 'data');
  for (const path of [config, queue, data]) await mkdir(path);
  const { stdout } = await run('id', ['-u', 'postfix']);
  await chown(data, Number(stdout), 0);
  await writeFile(join(config, 'key.pem'), `${certificate.key}\n${certificate.certificate}`, { mode: 0o600 });
  await writeFile(
    join(config, 'main.cf'),
    `compatibility_level = 3.6
queue_directory = ${queue}
data_directory = ${data}
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
maillog_file = ${folder}/postfix.log
maillog_file_prefixes = ${folder}
myhostname = relay.example.net
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
alias_maps =
alias_database =
virtual_mailbox_domains = ${mailDomain}
virtual_transport = lmtp:inet:127.0.0.1:${ports.lmtp}
default_transport = discard
transport_maps = inline:{ ${remoteDomain}=smtp:[127.0.0.1]:${ports.remote} }
smtputf8_enable = yes
smtpd_tls_security_level = encrypt
smtpd_tls_chain_files = ${config}/key.pem
smtpd_tls_auth_only = yes
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = inet:127.0.0.1:${ports.auth}
smtpd_client_restrictions = permit_sasl_authenticated, reject
smtpd_recipient_restrictions = check_policy_service inet:127.0.0.1:${ports.quota}, permit_sasl_authenticated, reject
`,
  );
  await writeFile(
    join(config, 'master.cf'),
    `127.0.0.1:${ports.smtp} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`,
  );
  await run('postfix', ['-c', config, 'check']);
  // In the foreground, as the only process of its group, so that it ends with the test.
  const master = owned.use(
    await startDaemon('/usr/lib/postfix/sbin/master', ['-c', config, '-d'], { stopSignal: 'SIGTERM' }),
  );
  await listening(ports.smtp, master.output);
}

async function listening(port: number, output: () => string): Promise<void> {
  await until(
    () =>
      new Promise<boolean>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => {
          socket.destroy();
          resolve(true);
        });
        socket.on('error', () => resolve(false));
      }),
    { saw: output, patienceMs: 30_000 },
  );
}
