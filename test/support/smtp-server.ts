// A small SMTP server for relays that misbehave: real ones greylist, die and hang, but not on command.
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { withResources } from './resources.ts';

export interface SmtpServer extends AsyncDisposable {
  readonly port: number;
  /** The messages that it accepted, with their senders and recipients. */
  readonly accepted: { readonly from: string; readonly to: string; readonly source: string }[];
  /** The behaviour for the next messages; later ones are accepted. */
  next: Behaviour[];
  connections(): number;
  /** Accept the messages that hang. */
  readonly hanging: (() => void)[];
}
/**
 * `greylists`, `rejects` and `is full` respond to RCPT TO; `dies` closes the connection in the middle of the message, `dies
 * late` after it has the message, and `hangs` responds to it when told to.
 */
export type Behaviour = 'accepts' | 'greylists' | 'rejects' | 'is full' | 'dies' | 'dies late' | 'hangs';

const recipientResponses: Partial<Record<Behaviour, string>> = {
  greylists: '451 4.7.1 Greylisted, please try again later',
  rejects: '550 5.1.1 No such user',
  'is full': '552 5.2.2 Mailbox full',
};

export async function startSmtpServer(): Promise<SmtpServer> {
  await using owned = new AsyncDisposableStack();
  const open = new Set<Socket>();
  const server: Served = { accepted: [], next: [], hanging: [] };
  const listener = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    serve(socket, server);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  owned.defer(async () => {
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => listener.close(resolve));
  });
  const { port } = listener.address() as AddressInfo;
  return withResources(owned, Object.assign(server, { port, connections: () => open.size }));
}

type Served = Pick<SmtpServer, 'accepted' | 'next' | 'hanging'>;
function serve(socket: Socket, server: Served): void {
  const say = (line: string): void => void socket.write(`${line}\r\n`);
  let pending = '';
  let [from, to] = ['', ''];
  let behaviour: Behaviour = 'accepts';
  let isData = false;
  say('220 test.invalid ESMTP');
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    pending += chunk;
    if (isData && behaviour === 'dies') return void socket.destroy();
    for (;;) {
      const end = pending.indexOf(isData ? '\r\n.\r\n' : '\r\n');
      if (end === -1) return;
      const line = pending.slice(0, end);
      pending = pending.slice(end + (isData ? 5 : 2));
      if (isData) receive(line);
      else respond(line);
    }
  });

  function receive(source: string): void {
    isData = false;
    const accept = (): void => {
      server.accepted.push({ from, to, source: source.replaceAll('\r\n..', '\r\n.') });
      if (behaviour === 'dies late') socket.destroy();
      else say('250 2.0.0 Accepted');
    };
    if (behaviour === 'hangs') server.hanging.push(accept);
    else accept();
  }

  function respond(line: string): void {
    const verb = line.split(/[ :]/)[0]!.toUpperCase();
    if (verb === 'EHLO') say('250-test.invalid\r\n250 8BITMIME');
    else if (verb === 'MAIL') {
      from = /<([^>]*)>/.exec(line)?.[1] ?? '';
      say('250 2.1.0 Ok');
    } else if (verb === 'RCPT') {
      to = /<([^>]*)>/.exec(line)?.[1] ?? '';
      behaviour = server.next.shift() ?? 'accepts';
      say(recipientResponses[behaviour] ?? '250 2.1.5 Ok');
    } else if (verb === 'DATA') {
      isData = true;
      say('354 End with a dot');
    } else if (verb === 'QUIT') socket.end('221 2.0.0 Bye\r\n');
    else say('250 2.0.0 Ok');
  }
}
