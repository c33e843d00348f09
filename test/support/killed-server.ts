// kill -9 while contacts are being created, repeatedly and on each engine: everything acknowledged exists, and nothing
// exists twice. The provider has no equipment, so that the server starts fast.
import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createContact, nameOf } from './contacts.ts';
import { machineSite } from './machine-site.ts';
import { requestResult } from './request.ts';
import { startSite } from './server.ts';
import { enginesOfSlowSuites } from './engine-suite.ts';

/** Longest time between a start and the kill. */
const longestMs = 250;
const together = 4;

export function describeKills(kills: number): void {
  describe('a server killed with SIGKILL', { concurrency: true }, () => {
    for (const { engine, suite, start } of enginesOfSlowSuites) {
      test(`on ${engine} loses nothing it acknowledged and does nothing twice`, suite, async () => {
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
              const response = await createContact(server.url, key, number, agent);
              if (response === undefined) unanswered.push(number);
              else acknowledged.set(number, response);
            }
          };
          const makers = Array.from({ length: together }, maker);
          // Some kills come before the first contact, most in the middle of one.
          await sleep((kill * longestMs) / kills);
          const death = server.kill('SIGKILL');
          shot.abort();
          await death;
          await Promise.all(makers);
          agent.destroy();
          await server.start();
          const fresh = new Agent({ keepAlive: true });
          for (const number of unanswered) {
            const response = await createContact(server.url, key, number, fresh);
            assert.ok(response, `${engine}: no response to the repetition of ${number}`);
            acknowledged.set(number, response);
          }
          fresh.destroy();
        }
        const result = await requestResult<{ id: string; firstname: string }[]>(server, 'GET', '/v2/account/contact', {
          key,
        });
        const contacts = result.filter(({ firstname }) => firstname.startsWith('Nr'));
        for (const [number, response] of acknowledged) {
          assert.match(response, /^200 /, `${engine} ${number}`);
          const id = (JSON.parse(response.slice(4)) as { result: { contactid: string } }).result.contactid;
          const matches = contacts.filter(({ firstname }) => firstname === nameOf(number));
          assert.deepEqual(
            matches.map((contact) => contact.id),
            [id],
            `${engine}: contact ${number}`,
          );
        }
        assert.equal(contacts.length, acknowledged.size);
        assert.ok(acknowledged.size > kills);
      });
    }
  });
}
