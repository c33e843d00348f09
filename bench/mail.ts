// Drains a queue of messages while a customer uses the API, and compares its response times with those of an idle server.
// Relay, server and client share one process, so that the ratio is worse than with a relay on another machine.
//
//   node bench/mail.ts
import { applySite } from '#app/site/apply.ts';
import { mailWorker, queueMail } from '#app/mail/sending.ts';
import type { AccountId } from '#store/account-id.ts';
import { openTestApp, type TestApp } from '../test/support/app.ts';
import { request } from '../test/support/request.ts';
import { startSmtpServer } from '../test/support/smtp-server.ts';
import { median, printFigure } from './support/figures.ts';

const mails = 10_000;
const perTransaction = 500;
const idleRequests = 500;
/** How many times longer a response may take while messages are sent. */
const maxRatio = 5;
const maxMs = 100;

await using relay = await startSmtpServer();
await using app = await openTestApp();
const relays = [{ host: '127.0.0.1', port: relay.port, security: 'none' as const }];
await applySite(app.parts, { ...app.site, mail: { from: 'noreply@example.net', relays } });

for (let at = 0; at < mails; at += perTransaction)
  await app.parts.store.transaction(async (queries) => {
    for (let number = at; number < at + perTransaction; number++) {
      const address = `customer-${number}@example.net`;
      const person = { account: 1 as AccountId, contact: null, address, language: '' };
      await queueMail(app.parts, queries, { ...person, kind: 'test', values: { recipient: address } });
    }
  });

await measure(app, (count) => count < idleRequests / 5);
const idle = await measure(app, (count) => count < idleRequests);
const startMs = performance.now();
await app.parts.queue.start([mailWorker(app.parts)]);
const busy = await measure(app, () => relay.accepted.length < mails);
const seconds = (performance.now() - startMs) / 1000;

const ratio = median(busy) / median(idle);
const slowest = busy.toSorted((left, right) => left - right)[Math.floor(busy.length * 0.99)]!;
printFigure('messages sent per second', (mails / seconds).toFixed(0));
printFigure('median response while idle, ms', median(idle).toFixed(2));
printFigure('median response while sending, ms', median(busy).toFixed(2));
printFigure(
  'median response while sending, times the peer',
  ratio.toFixed(1),
  `<= ${maxRatio}`,
  ratio <= maxRatio,
  'idle',
);
printFigure('99th percentile while sending, ms', slowest.toFixed(1), `< ${maxMs}`, slowest < maxMs);

async function measure(server: TestApp, isUnfinished: (count: number) => boolean): Promise<number[]> {
  const times: number[] = [];
  while (isUnfinished(times.length)) {
    const begun = performance.now();
    await request(server, 'GET', '/v2/account', { key: server.lab.customer.key });
    times.push(performance.now() - begun);
    // Within the rate limit of the key.
    await new Promise((resolve) => void setTimeout(resolve, 5));
  }
  return times;
}
