// hostyard doctor inside a running installation, on its database and equipment: each test breaks one thing and expects
// exactly that to be reported, with its fix.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { applyWithin } from '#app/site/apply.ts';
import { recordSiteProblem } from '#app/site/file-problem.ts';
import type { Site } from '#contract/site/site.ts';
import { dataChecks } from '#app/doctor/data-checks.ts';
import { runChecks, type Finding } from '#app/doctor/check.ts';
import { equipmentChecks } from '#app/doctor/equipment-checks.ts';
import { workChecks } from '#app/doctor/work-checks.ts';
import type { App } from '#app/app.ts';
import { bmcSealContext } from '#equipment/bmcs.ts';
import { nodeSealContext } from '#equipment/hypervisors.ts';
import { nameService } from '#app/dns/name-service.ts';
import { tsigSealContext } from '#app/dns/tsig-names.ts';
import { selectWhere, updateWhere } from '#store/engine/rows.ts';
import { switchSealContext } from '#equipment/switches.ts';
import { lastBackupEntry, metaPut } from '#store/meta.ts';
import type { Queries } from '#store/store.ts';
import { startTrustedTime } from '#store/work/trusted-time.ts';
import type { TestApp } from '#test/support/app.ts';
import { createTsigKey } from '#test/support/dns-updates.ts';
import { assertOnlyFinding, problemsIn, type ExpectedFinding } from '#test/support/doctor-findings.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { quarantineServer } from '#test/support/quarantine.ts';
import type { AccountId } from '#store/account-id.ts';

const dayMs = 86_400_000;

describeOnEngines('the doctor inside an installation', { postgres: 'in long runs' }, ({ engine, openApp }) => {
  let app: TestApp;
  const account = 1 as AccountId;
  before(async () => {
    app = await openApp();
    await metaPut(app.parts.store.queries, lastBackupEntry, String(Date.now()));
  });
  const checks = [...dataChecks, ...workChecks];

  /** Runs the checks in a transaction that is rolled back. */
  async function diagnose(
    breakIt: (queries: Queries) => Promise<unknown>,
    parts: Partial<App> = {},
  ): Promise<Finding[]> {
    const { store } = app.parts;
    let findings: Finding[] = [];
    const undone = new Error('undone');
    await store
      .transaction(async (queries) => {
        await breakIt(queries);
        findings = await runChecks<App>({ ...app.parts, ...parts, store: { ...store, queries } }, checks);
        throw undone;
      })
      .catch((error: unknown) => {
        if (error !== undone) throw error;
      });
    return findings;
  }
  const assertReports = async (breakIt: (queries: Queries) => Promise<unknown>, ...expected: ExpectedFinding) =>
    assertOnlyFinding(await diagnose(breakIt), ...expected);
  const entry = { address: '', key_id: null, contact_id: null, operation: 'x', target: '', request_id: '' };

  test('finds nothing wrong in the lab, whose equipment responds', async () => {
    assert.deepEqual(problemsIn(await runChecks(app.parts, [...checks, ...equipmentChecks])), []);
  });

  test('reports a secret that cannot be opened', async () => {
    await assertReports(
      (queries) =>
        queries
          .updateTable('detectors')
          .set({ settings: 's1.AAAA' })
          .where('name', '=', app.equipment.detector.name)
          .execute(),
      'sealed secrets',
      'fault',
      /sealed secret of detector .* cannot be decrypted/,
    );
  });

  test('reports a TSIG key whose secret cannot be opened, or does not fit its algorithm', async () => {
    const { id } = await createTsigKey(app, app.lab.customer.key);
    const { queries: now } = app.parts.store;
    const { printable_id } = await selectWhere(now, 'keys', { id: Number(id) })
      .select('printable_id')
      .executeTakeFirstOrThrow();
    const set = (change: object) => (queries: Queries) =>
      updateWhere(queries, 'keys', { printable_id }).set(change).execute();
    const tsig_secret = app.parts.secrets.seal('c2hvcnQ=', tsigSealContext(printable_id));
    await assertReports(set({ tsig_secret: 's1.AAAA' }), 'sealed secrets', 'fault', /TSIG key .* cannot be decrypted/);
    await assertReports(set({ tsig_secret }), 'TSIG keys', 'fault', /TSIG key .* length that hmac-sha256 needs/);
    await assertReports(set({ tsig_algorithm: 'hmac-sha512' }), 'TSIG keys', 'fault', /length that hmac-sha512 needs/);
    const revoked = { tsig_secret: 's1.AAAA', revoked_at: 1 };
    assert.deepEqual(problemsIn(await diagnose(set(revoked))), []);
  });

  test('reports an audit log that was tampered with', async () => {
    const forged = { ...entry, account_id: account, at: 1, outcome: 'ok', previous: 'x', hash: 'y' };
    await assertReports(
      (queries) => queries.insertInto('audit').values(forged).execute(),
      'audit logs',
      'fault',
      /account 1: entry \d+ was altered/,
    );
  });

  test('reports a ledger that does not balance', async () => {
    await assertReports(
      (queries) =>
        sql`insert into ledger (account_id, at, debit, credit, amount_cents, kind, invoice_id, reference)
          values (${account}, 1, 'receivable', 'goodwill', 1234, 'credit', null, '')`.execute(queries),
      'ledger',
      'fault',
      /Account 1 owes .* according to the ledger and .* according to its open invoices/,
    );
  });

  test('reports a clock that is behind recorded times', async () => {
    const event = { account_id: account, sequence: 9_999_999, type: 'x', version: 1, data: '{}' };
    await assertReports(
      (queries) =>
        queries
          .insertInto('events')
          .values({ ...event, at: Date.now() + dayMs })
          .execute(),
      'clock',
      'fault',
      /which is in the future/,
    );
  });

  if (engine === 'postgres')
    test("reports a clock that differs from the database's, in either direction", async () => {
      for (const [seconds, pattern] of [
        [60, /clock is (59|60) seconds behind this one/],
        [-60, /clock is 6[0-9] seconds ahead of this one/],
      ] as const) {
        const clock = { now: () => Date.now() + seconds * 1000 };
        const findings = await diagnose(
          async (queries) => {
            await queries.updateTable('events').set({ at: 0 }).execute();
            // Without triggers, because the log of earlier tests cannot be changed otherwise.
            await sql`set local session_replication_role = replica`.execute(queries);
            await queries.updateTable('audit').set({ at: 0 }).execute();
          },
          { clock },
        );
        assertOnlyFinding(
          findings.filter(({ check }) => check === 'clock'),
          'clock',
          'fault',
          pattern,
        );
      }
    });

  test('reports a stuck workflow', async () => {
    const row = { id: 'w', account_id: account, name: 'x', version: 1, operation: 'x', status: 'Stuck' as const };
    const position = { direction: 'back' as const, position: 0, step: 'x', step_since: 0, tries: 8, progress: 0 };
    const rest = { input: '{}', outputs: '{}', cancel_requested: 0, created_at: 0, revision: 1 };
    await assertReports(
      (queries) =>
        queries
          .insertInto('workflows')
          .values({ ...row, ...position, ...rest })
          .execute(),
      'workflows',
      'fault',
      /^1 workflow can neither continue/,
    );
  });

  test('reports a failing reconciler, and one that does not run', async () => {
    const row = { name: 'sweep', signals: 0, holder: null, lease_until: 0, last_success_at: 1, last_duration_ms: 1 };
    const put = (more: { run_at: number; last_error: string | null }) => (queries: Queries) =>
      queries
        .insertInto('reconcilers')
        .values({ ...row, ...more, backlog: 0 })
        .execute();
    const failing = put({ run_at: Date.now() + 60_000, last_error: 'no way' });
    await assertReports(failing, 'reconcilers', 'warning', /sweep failed: no way/);
    const late = put({ run_at: 0, last_error: null });
    await assertReports(late, 'reconcilers', 'warning', /sweep has not run on time/);
  });

  test('reports an unpublished zone', async () => {
    const row = { zone: 'late.example', holder: '', lease_until: 0 };
    const put = (queries: Queries) => queries.insertInto('zone_publications').values(row).execute();
    const { secrets, log } = app.parts;
    const location = { dataFolder: '', database: undefined };
    const external = nameService({ location, secrets, log, answerKeyQuestion: async () => undefined });
    await external.open({ names: ['ns1.example.net'], powerdns: { url: 'http://127.0.0.1:9', apiKey: 'x' } });
    const findings = await diagnose(put, { nameService: external });
    await external.close();
    assertOnlyFinding(findings, 'zones', 'warning', /late\.example/);
    assert.deepEqual(problemsIn(await diagnose(put)), [], 'nobody publishes to a former name server');
  });

  test('reports a server in quarantine, with the reason', async () => {
    await assertReports(
      (queries) => quarantineServer(app.parts, queries),
      'quarantine',
      'warning',
      /^Server dc09r01ds\d+ is in quarantine: the step erase failed: Not erased: disk WD-1\.$/,
    );
  });

  test('reports servers without a boot address, if they boot over a network', async () => {
    const bootsOver = (listen: string, addressOf: (index: number) => string | undefined) => {
      const servers = app.site.servers!.map((server, index) => ({ ...server, bootAddress: addressOf(index) }));
      const site = { ...app.site, servers, boot: { ...app.site.boot!, listen } } as Site;
      return (queries: Queries) => applyWithin(app.parts, queries, site, new Set());
    };
    const allButFirst = (index: number) => (index === 0 ? undefined : `192.0.2.${index}`);
    const missing = bootsOver('192.0.2.99:8069', allButFirst);
    await assertReports(missing, 'boot addresses', 'warning', /^Server dc01r01ds01 has no bootAddress/);
    assert.deepEqual(problemsIn(await diagnose(bootsOver('192.0.2.99:8069', (index) => `192.0.2.${index + 1}`))), []);
    assert.deepEqual(problemsIn(await diagnose(bootsOver('[::1]:8069', allButFirst))), []);
  });

  test('reports requests that wait for staff', async () => {
    const row = { account_id: account, service_id: 1001, family: 'ipv4' as const, prefix_length: 29 };
    await assertReports(
      (queries) =>
        queries
          .insertInto('netblock_requests')
          .values({ ...row, status: 'Pending', cidr: '', created_at: 1 })
          .execute(),
      'requests',
      'warning',
      /^1 address request is waiting/,
    );
  });

  test('reports an old backup, and a missing one', async () => {
    await assertReports(
      (queries) => metaPut(queries, lastBackupEntry, String(Date.now() - 8 * dayMs)),
      'backups',
      'warning',
      /8 days old/,
    );
    await assertReports(
      (queries) => queries.deleteFrom('meta').where('name', '=', lastBackupEntry).execute(),
      'backups',
      'warning',
      /There has never been a backup/,
    );
  });

  test('reports a site file that the last start could not apply', async () => {
    await assertReports(
      (queries) =>
        recordSiteProblem({ ...app.parts, store: { ...app.parts.store, queries } }, new Error('site.yaml:3:1: x')),
      'site state',
      'fault',
      /^The site file could not be applied at the last start: site\.yaml:3:1: x$/,
    );
  });

  test('reports a clock that has jumped', async () => {
    await assertReports(
      (queries) => startTrustedTime(queries, Date.now() - 2 * dayMs),
      'clock',
      'fault',
      /^The clock jumped from .* to .*, so billing is paused\.$/,
    );
  });

  if (engine === 'sqlite') {
    test('reports a port that its switch does not have, and a host that cannot run its machines', async () => {
      const { store } = app.parts;
      const port = await store.queries
        .selectFrom('ports')
        .selectAll()
        .where('service_id', 'is not', null)
        .executeTakeFirstOrThrow();
      const setIndex = (if_index: number) =>
        store.queries.updateTable('ports').set({ if_index }).where('id', '=', port.id).execute();
      await setIndex(4711);
      assertOnlyFinding(
        await runChecks(app.parts, equipmentChecks),
        'switches',
        'fault',
        new RegExp(`^Switch ${port.switch} has no port with ifIndex 4711`),
      );
      await setIndex(port.if_index);
      const { id, key_by, key, current_index, counter_bits, speed } = port;
      const assertPort = async (change: object, ...expected: ExpectedFinding) => {
        await updateWhere(store.queries, 'ports', { id }).set(change).execute();
        assertOnlyFinding(await runChecks(app.parts, equipmentChecks), ...expected);
        await updateWhere(store.queries, 'ports', { id })
          .set({ key_by, key, current_index, counter_bits, speed })
          .execute();
      };
      const gone = { key_by: 'name', key: 'xe-9' };
      await assertPort(
        gone,
        'switches',
        'fault',
        /no longer has the port with ifIndex 1 \(name xe-9\).* That ifIndex is now "ge-0\/0\/0"/,
      );
      const spare = { key_by: 'name', key: 'ge-0/0/3' };
      await assertPort(spare, 'switches', 'warning', /has renumbered the port .*: it is now ifIndex 4\.$/);
      const fast = { counter_bits: 32, speed: 1e10 };
      await assertPort(fast, 'switches', 'warning', /has only 32-bit counters for the port with ifIndex 1/);
      const use: App['hypervisors']['use'] = (name, work) =>
        app.parts.hypervisors.use(name, (hypervisor, waits) =>
          work({ ...hypervisor, findHostProblems: async () => ['It cannot use KVM.'] }, waits),
        );
      const hypervisors = { ...app.parts.hypervisors, use };
      const findings = await runChecks({ ...app.parts, hypervisors }, equipmentChecks);
      assertOnlyFinding(findings, 'nodes', 'fault', /^Hypervisor .* cannot run machines: It cannot use KVM\.$/);
    });

    test('reports failed jobs', async () => {
      const { store } = app.parts;
      const row = { kind: 'sending', key: null, payload: '{}', state: 'failed' as const, run_at: 0, attempt: 9 };
      await store.queries
        .insertInto('jobs')
        .values({ ...row, failures: 9, error: 'no', failed_at: 1 })
        .execute();
      assertOnlyFinding(await runChecks(app.parts, checks), 'jobs', 'warning', /^1 job of kind sending has failed/);
      await store.queries.deleteFrom('jobs').where('kind', '=', 'sending').execute();
    });

    test('tells a BMC that rejects its password from one that does not respond', async () => {
      const { store, secrets } = app.parts;
      const { server } = app.lab.dedicated;
      const { address, port, username } = app.equipment.bmcs.find((bmc) => bmc.server === server)!;
      const settings = JSON.stringify({ address, port, username, password: 'wrong' });
      await store.queries
        .updateTable('servers')
        .set({ bmc_settings: secrets.seal(settings, bmcSealContext(server)), bmc_revision: 98, bmc_driver: 'ipmi' })
        .where('name', '=', server)
        .execute();
      const checks = equipmentChecks.filter(({ name }) => name === 'controllers');
      assertOnlyFinding(
        await runChecks(app.parts, checks),
        'controllers',
        'warning',
        new RegExp(`^The BMC of ${server} cannot be used: the BMC has a different password for this user$`),
      );
    });

    test('reports unreachable equipment, and only that', async () => {
      const { store, secrets } = app.parts;
      const unreachable = { address: '127.0.0.1', port: 9 };
      const bmc = { ...unreachable, username: 'x', password: 'y' };
      const server = app.lab.dedicated.server;
      const { name: node } = app.equipment.hypervisor;
      const [device] = await store.queries.selectFrom('switches').select('name').execute();
      await store.transaction(async (queries) => {
        const sealed = (settings: object, context: string) => secrets.seal(JSON.stringify(settings), context);
        const bmcSettings = {
          bmc_settings: sealed(bmc, bmcSealContext(server)),
          bmc_revision: 99,
          bmc_driver: 'ipmi',
        };
        await queries.updateTable('servers').set(bmcSettings).where('name', '=', server).execute();
        const community = { ...unreachable, version: '2c', community: 'x', timeoutMs: 300 };
        const switchSettings = { settings: sealed(community, switchSealContext(device!.name)), revision: 99 };
        await queries.updateTable('switches').set(switchSettings).execute();
        const nodeSettings = {
          settings: sealed({ ...unreachable, token: 'x' }, nodeSealContext(node)),
          revision: 99,
        };
        await queries.updateTable('nodes').set(nodeSettings).where('name', '=', node).execute();
      });
      const findings = problemsIn(await runChecks(app.parts, equipmentChecks));
      assert.deepEqual(
        findings.map(({ check, state, message }) => [check, state, message.split(' does not')[0]]),
        [
          ['controllers', 'warning', `The BMC of ${server}`],
          ['switches', 'warning', `Switch ${device!.name}`],
          ['nodes', 'warning', `Hypervisor ${node}`],
        ],
      );
    });
  }
});
