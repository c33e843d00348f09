// kill -9 while contacts are being made, so many times on each engine: what was acknowledged is there, nothing is there twice.
// The provider has no equipment, so that a start is quick.
import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createContact, nameOf } from './contacts.ts';
import { machineSite } from './machine-site.ts';
import { request } from './request.ts';
import { startSite } from './server.ts';
import { engines } from './yard.ts';

/** The longest that contacts are made before a shot. */
const longestMs = 250;
const together = 4;

export function describeShots(kills: number): void {
  describe('a server that is shot', { concurrency: true }, () => {
    for (const { engine, suite, start } of engines) {
      test(`on ${engine} has lost nothing it acknowledged and did nothing twice`, suite, async () => {
        await using running = await start();
        const { database } = await running.newDatabase();
        const { site, key } = machineSite([], []);
        await using server = await startSite(site, database === undefined ? {} : { HOSTYARD_DATABASE: database });
        const acknowledged = new Map<number, string>();
        let next = 0;
        for (let kill = 0; kill < kills; kill++) {
          const agent = new Agent({ keepAlive: true });
          const unanswered: number[] = [];
          const shot = new AbortController();
          const maker = async (): Promise<void> => {
            while (!shot.signal.aborted) {
              const number = next++;
              const answer = await createContact(server.url, key, number, agent);
              if (answer === undefined) unanswered.push(number);
              else acknowledged.set(number, answer);
            }
          };
          const makers = Array.from({ length: together }, maker);
          // Some are shot before the first contact, most in the middle of one.
          await sleep((kill * longestMs) / kills);
          const death = server.kill('SIGKILL');
          shot.abort();
          await death;
          await Promise.all(makers);
          agent.destroy();
          await server.start();
          const fresh = new Agent({ keepAlive: true });
          for (const number of unanswered) {
            const answer = await createContact(server.url, key, number, fresh);
            assert.ok(answer, `${engine}: no answer to the repetition of ${number}`);
            acknowledged.set(number, answer);
          }
          fresh.destroy();
        }
        const { body } = await request<{ result: { id: string; firstname: string }[] }>(
          server,
          'GET',
          '/v2/account/contact',
          { key },
        );
        const made = body.result.filter(({ firstname }) => firstname.startsWith('Nr'));
        for (const [number, answer] of acknowledged) {
          assert.match(answer, /^200 /, `${engine} ${number}`);
          const id = (JSON.parse(answer.slice(4)) as { result: { contactid: string } }).result.contactid;
          const there = made.filter(({ firstname }) => firstname === nameOf(number));
          assert.deepEqual(
            there.map((one) => one.id),
            [id],
            `${engine}: contact ${number}`,
          );
        }
        assert.equal(made.length, acknowledged.size);
        assert.ok(acknowledged.size > kills);
      });
    }
  });
}
