// Sends mail to an SMTP relay with nodemailer, over a few connections that are kept open.
import type { SendMailOptions } from 'nodemailer/lib/mailer';
import type { SMTPPoolOptions } from 'nodemailer/lib/smtp-pool';
import type { SiteMail, SiteRelay } from '#contract/site/mail.ts';
import { MailError, type MailProblem, type MailRelay, type OutgoingMail } from './driver.ts';

const defaultTimeoutSeconds = 30;
/** An attempt has several steps, each of which may take as long as the timeout. */
const deadlineFactor = 4;
const maxConnections = 4;
const messagesPerConnection = 100;
/** RFC 8058 wants both fields of the unsubscription to be signed. */
const signedHeaders =
  'From:Reply-To:Subject:Date:Message-ID:To:MIME-Version:Content-Type:Content-Transfer-Encoding:List-Unsubscribe:List-Unsubscribe-Post';

export function openSmtpRelay(settings: SiteRelay, dkim: SiteMail['dkim']): MailRelay {
  const { host, security = 'starttls', username, password, certificateAuthority } = settings;
  const port = settings.port ?? (security === 'tls' ? 465 : 587);
  const timeoutMs = (settings.timeoutSeconds ?? defaultTimeoutSeconds) * 1000;
  const options: SMTPPoolOptions & { pool: true } = {
    pool: true,
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    // A relay that offers no sign-in must not be used without: it would reject every message for ever.
    ...(username !== undefined && { auth: { user: username, pass: password ?? '' }, forceAuth: true }),
    tls: { minVersion: 'TLSv1.2', ...(certificateAuthority !== undefined && { ca: certificateAuthority }) },
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    maxConnections,
    maxMessages: messagesPerConnection,
    maxRequeues: 1,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(dkim !== undefined && {
      dkim: {
        domainName: dkim.domain,
        keySelector: dkim.selector,
        privateKey: dkim.privateKey,
        headerFieldNames: signedHeaders,
      },
    }),
  };
  // Loaded on first use, because most processes never send mail.
  const openTransport = async () => (await import('nodemailer')).createTransport(options);
  interface Pool {
    readonly transport: ReturnType<typeof openTransport>;
    uses: number;
  }
  let pool: Pool | undefined;

  /** Lets messages that are being sent end: the relay may already have them, and would get them again. */
  function closePool(closed: Pool): void {
    if (pool === closed) pool = undefined;
    void closed.transport.then((transport) => transport.close({ force: closed.uses === 0 }));
  }

  async function usePool<T>(use: (transport: Awaited<Pool['transport']>) => Promise<T>): Promise<T> {
    const used = (pool ??= { transport: openTransport(), uses: 0 });
    used.uses++;
    try {
      return await withDeadline(used.transport.then(use), () => closePool(used));
    } finally {
      used.uses--;
      // Connections on which a deadline has passed are left.
      if (used !== pool && used.uses === 0) closePool(used);
    }
  }

  /** Timeouts of the socket do not notice a relay that sends a character now and then. */
  async function withDeadline<T>(work: Promise<T>, onDeadline: () => void = () => {}): Promise<T> {
    const { promise: deadline, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      onDeadline();
      reject(new MailError('unusable', `did not finish within ${(deadlineFactor * timeoutMs) / 1000} seconds`));
    }, deadlineFactor * timeoutMs);
    return Promise.race([work, deadline]).finally(() => clearTimeout(timer));
  }

  return {
    name: `${host}:${port}`,
    async send(mail) {
      try {
        if (!isAscii(mail.to) && !(await withDeadline(supportsUnicodeAddresses(options))))
          throw new MailError('rejected', 'the relay does not support this address (SMTPUTF8)');
        const { response } = await usePool((transport) => transport.sendMail(mailOptions(mail)));
        return response;
      } catch (error) {
        throw error instanceof MailError ? error : toMailError(error as SmtpError);
      }
    },
    async check() {
      try {
        await usePool((transport) => transport.verify());
      } catch (error) {
        throw new MailError('unusable', reasonOf(error as SmtpError));
      }
    },
    close() {
      if (pool !== undefined) closePool(pool);
    },
  };
}

/** Of a domain, nodemailer sends the ASCII form, which every relay takes. */
function isAscii(address: string): boolean {
  return /^[\x20-\x7e]*$/.test(address.slice(0, address.lastIndexOf('@')));
}

/** nodemailer would send the address to any relay. */
async function supportsUnicodeAddresses(options: SMTPPoolOptions): Promise<boolean> {
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection');
  const connection = new SMTPConnection(options);
  try {
    await new Promise<void>((resolve, reject) => {
      connection.once('error', reject);
      connection.connect((error) => (error ? reject(error) : resolve()));
    });
    return (connection as unknown as { _supportedExtensions: string[] })._supportedExtensions.includes('SMTPUTF8');
  } finally {
    connection.close();
  }
}

function mailOptions(mail: OutgoingMail): SendMailOptions {
  const { from, to, replyTo, returnPath, subject, text, html, headers, messageId, attachments } = mail;
  // As a text it would be a list: a comma, for example, would send the message to somebody else.
  const recipient = { name: '', address: to };
  return {
    from,
    to: recipient,
    ...(replyTo !== undefined && { replyTo }),
    ...(returnPath !== undefined && { envelope: { from: returnPath, to: recipient } }),
    subject,
    text,
    html,
    headers: { ...headers },
    messageId,
    attachments: attachments.map(({ content, ...attachment }) => ({ ...attachment, content: Buffer.from(content) })),
  };
}

interface SmtpError extends Error {
  /** Such as ECONNECTION or EENVELOPE. */
  readonly code?: string;
  /** The SMTP command that was rejected. */
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

/** Commands whose rejection concerns the message; of others, it concerns the relay or our access to it. */
const messageCommands = new Set(['RCPT TO', 'DATA']);

function toMailError(error: SmtpError): MailError {
  return new MailError(problemOf(error), reasonOf(error));
}

function problemOf({ code, command, responseCode }: SmtpError): MailProblem {
  const isAboutMessage = messageCommands.has(command ?? '');
  if (responseCode !== undefined && isAboutMessage) return responseCode >= 500 ? 'rejected' : 'deferred';
  // Without a response: nodemailer itself finds the address invalid.
  if (code === 'EENVELOPE' && responseCode === undefined) return 'rejected';
  return 'unusable';
}

/** In the relay's words if there are any. */
function reasonOf({ message, response }: SmtpError): string {
  const text = response ?? message;
  return text
    .replaceAll(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .trim()
    .slice(0, 300);
}
