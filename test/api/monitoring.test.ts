// Alert rules and dashboard use what Hostyard really reports, every alert fires, and each leads to its page.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { version } from '#lib/version.ts';
import { applySite } from '#app/site/apply.ts';
import { MemorySource } from '#test/support/memory-source.ts';
import { startNameServer, type NameServer } from '#drivers/dns/builtin/server.ts';
import { machineSync } from '#reconcilers/machine-sync.ts';
import { startReconcilers } from '#reconcilers/reconciler.ts';
import { trafficPoll } from '#reconcilers/traffic-poll.ts';
import { sensorFaults, sensorsPut } from '#store/devices/sensors.ts';
import { networkReconcilers } from '#server/network-reconcilers.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { needs } from '#test/support/needs.ts';
import { freePort } from '#test/support/ports.ts';
import { request } from '#test/support/request.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { until } from '#test/support/until.ts';

const root = join(import.meta.dirname, '..', '..');
const text = (file: string): string => readFileSync(join(root, file), 'utf8');
const run = promisify(execFile);

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly runbook_url: string };
}
interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
}
interface RuleTests {
  readonly tests: readonly {
    readonly alert_rule_test: readonly { readonly alertname: string; readonly exp_alerts: readonly unknown[] }[];
  }[];
}

const { groups } = parse(text('packaging/alerts.yaml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(text('packaging/grafana-dashboard.json')) as { panels: Panel[] };
const curves = panels.flatMap(({ title, targets }) => targets.map((target) => ({ where: title, ...target })));

/** Added by Prometheus, to every sample or to the buckets of a histogram. */
const prometheusLabels = ['job', 'instance', 'le'];

describe('the metrics', () => {
  const owned = suiteResources();
  let app: TestApp;
  let secondary: NameServer;
  let metrics: string;
  const scrape = async (): Promise<string> =>
    (await request<string>(app, 'GET', '/metrics', { key: app.lab.operator.key })).body;
  const labelsOf = (metric: string): Map<string, string>[] =>
    [...metrics.matchAll(new RegExp(`^${metric}(?:\\{(.*)\\})? `, 'gm'))].map(
      ([, labels = '']) => new Map([...labels.matchAll(/(\w+)="(.*?)"/g)].map(([, name, value]) => [name!, value!])),
    );

  before(async () => {
    const peer = { source: new MemorySource(), address: '127.0.0.1', port: 0, onError: assert.ifError };
    secondary = owned.use(await startNameServer(peer));
    const secondaries = [secondary.port, await freePort()].map((port) => ({ address: '127.0.0.1', port }));
    app = owned.use(
      await openTestApp({
        site: {
          nameserver: { names: ['ns1.example.net'], listen: '127.0.0.1:0', secondaries },
          mail: {
            from: 'noreply@example.net',
            relays: [{ host: '127.0.0.1', port: await freePort(), security: 'none' }],
          },
        },
      }),
    );
    await app.parts.mailer.check();
    const [node] = app.site.nodes!;
    const dead = { ...node!, name: 'kvm20', settings: { ...node!.settings, port: await freePort() } };
    await applySite(app.parts, { ...app.site, nodes: [node!, { ...dead, rack: undefined, unit: undefined } as never] });
    const all = [machineSync(app.parts, async () => {}), trafficPoll(app.parts), ...networkReconcilers(app.parts)];
    await sensorsPut(app.parts.store.queries, {
      server: app.lab.dedicated.server,
      service_id: null,
      readings: '[]',
      read_at: 1,
      error: null,
      faults: sensorFaults.encode([{ sensor: 'PSU 2', kind: 'psu', severity: 'critical', detail: 'failed', since: 1 }]),
      fault_count: 1,
      celsius: 41,
      rpm: 5400,
      watts: 122,
      log_position: null,
    });
    const reconcilers = await startReconcilers(app.parts, all);
    owned.defer(() => reconcilers.stop());
    // Stays queued.
    const { key } = app.lab.customer;
    const params = { vmid: app.lab.vps.vmid, template: 'debian-12' };
    assert.equal((await request(app, 'POST', '/vps/reinstall', { key, params })).status, 200);
    await until(async () => {
      metrics = await scrape();
      return ['dc01hv01', 'kvm20', 'dc01sw01', 'router'].every((name) => metrics.includes(`name="${name}"`));
    });
  });

  test('say of each hypervisor, switch, router and name server whether it responds', () => {
    const up = (kind: string, name: string) =>
      new RegExp(`^hostyard_equipment_up\\{kind="${kind}",name="${name}"\\} (.)$`, 'm').exec(metrics)?.[1];
    assert.equal(up('hypervisor', 'dc01hv01'), '1');
    assert.equal(up('hypervisor', 'kvm20'), '0');
    assert.equal(up('switch', 'dc01sw01'), '1');
    assert.equal(up('router', 'router'), '1');
    assert.equal(up('nameserver', `127.0.0.1:${secondary.port}`), '1');
    const silent = metrics.match(/^hostyard_equipment_up\{kind="nameserver",name="127\.0\.0\.1:\d+"\} 0$/gm);
    assert.equal(silent?.length, 1);
  });

  test('name the version of the instance', () => {
    assert.ok(metrics.includes(`\nhostyard_info{version="${version}"} 1\n`));
  });

  test('count equipment that was never checked as unknown', () => {
    assert.match(metrics, /^hostyard_equipment\{kind="controller",state="unknown"\} [1-9]/m);
    assert.match(metrics, /^hostyard_equipment\{kind="controller",state="answering"\} 0$/m);
  });

  test('have all names, labels and values that the alerts and the dashboard use', () => {
    const types = new Map([...metrics.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name!, type!]));
    const expressions = [...rules.map(({ alert, expr }) => ({ where: alert, expr, legendFormat: '' })), ...curves];
    for (const { where, expr, legendFormat } of expressions) {
      const used = [...expr.matchAll(/\b((?:hostyard|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)];
      assert.ok(used.length > 0 || expr.startsWith('up{'), where);
      const known = new Set(prometheusLabels);
      for (const [, metric, selector = ''] of used) {
        const base = types.has(metric!) ? metric! : metric!.replace(/_(?:bucket|count|sum)$/, '');
        assert.ok(types.has(base), `${where} names ${metric}`);
        const isPart = base !== metric;
        assert.ok(!isPart || types.get(base) === 'histogram', `${where}: ${metric} does not belong to a histogram`);
        const samples = labelsOf(metric!);
        assert.ok(samples.length > 0, `${where}: ${metric} has no samples`);
        for (const sample of samples) for (const label of sample.keys()) known.add(label);
        for (const [, label, operator, value] of selector.matchAll(/(\w+)(=~|=|!=|!~)"(.*?)"/g))
          assert.ok(
            prometheusLabels.includes(label!) ||
              samples.some((sample) => (operator === '=' ? sample.get(label!) === value : sample.has(label!))),
            `${where}: no ${metric} has ${label}${operator}"${value}"`,
          );
      }
      for (const [, replaced] of expr.matchAll(/label_replace\(.*?, "(\w+)"/g)) known.add(replaced!);
      const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names]) => names!.split(/, */));
      const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!);
      for (const label of [...grouped, ...shown]) assert.ok(known.has(label), `${where}: no label ${label}`);
    }
  });

  test('are all on the dashboard', () => {
    const own = [...metrics.matchAll(/^# TYPE (hostyard_\S+) /gm)].map(([, name]) => name!);
    assert.ok(own.length > 15);
    const missing = own.filter(
      (name) => !curves.some(({ expr }) => new RegExp(`\\b${name}(?:_bucket|_count)?\\b`).test(expr)),
    );
    assert.deepEqual(missing, []);
  });
});

describe('the alerts', () => {
  const runbookSections = ['Impact', 'Diagnosis', 'Fix', 'Verification', 'Pitfalls'];

  test('have a page each, which the package installs, and there is an alert for each page', () => {
    const alerts = rules.map(({ alert }) => alert).toSorted();
    const rows = [
      ...text('docs/guides/alerts/README.md').matchAll(
        /^\| \[(.+)\]\((\w+)\.md\) +\| `(\w+)` +\| (page|ticket) +\| \S/gm,
      ),
    ];
    assert.deepEqual(
      rows.map(([, , page, name, severity]) => `${page} ${name} ${severity}`).toSorted(),
      rules.map(({ alert, labels }) => `${alert} ${alert} ${labels.severity}`).toSorted(),
    );
    const titles = new Map(rows.map(([, title, page]) => [page, title]));
    const pages = globSync('docs/guides/alerts/Hostyard*.md', { cwd: root });
    assert.deepEqual(pages.map((page) => basename(page, '.md')).toSorted(), alerts);
    for (const { alert, annotations } of rules) {
      const page = annotations.runbook_url.replace('file:///usr/share/doc/hostyard/', 'docs/');
      assert.equal(page, `docs/guides/alerts/${alert}.md`);
      assert.ok(existsSync(join(root, page)));
      const sections = [...text(page).matchAll(/^##? (.+)\n\n(?=[^#\n])/gm)].map(([, title]) => title);
      assert.deepEqual(sections, [titles.get(alert), ...runbookSections]);
    }
    for (const { alert, labels } of rules) assert.match(labels.severity, /^(?:page|ticket)$/, alert);
  });

  test('are each tested to fire and not to fire', () => {
    const { tests } = parse(text('packaging/alerts-test.yaml')) as RuleTests;
    const cases = tests.flatMap(({ alert_rule_test }) => alert_rule_test);
    const namesOf = (fires: boolean): string[] =>
      [...new Set(cases.filter((one) => one.exp_alerts.length > 0 === fires).map((one) => one.alertname))].toSorted();
    const alerts = rules.map(({ alert }) => alert).toSorted();
    assert.deepEqual(namesOf(true), alerts);
    assert.deepEqual(namesOf(false), alerts);
  });

  test('fire when they should, and not before', needs('promtool'), async () => {
    await run('promtool', ['check', 'rules', join(root, 'packaging/alerts.yaml')]);
    await run('promtool', ['test', 'rules', join(root, 'packaging/alerts-test.yaml')]);
  });
});

test('the expressions of the dashboard are valid PromQL', needs('promtool'), async () => {
  await using folder = await temporaryFolder('dashboard');
  const file = join(folder.path, 'rules.yaml');
  const record = curves.map(({ expr }, index) => ({
    record: `curve:${index}`,
    expr: expr.replaceAll('$instance', '.*'),
  }));
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules: record }] }));
  const { stdout } = await run('promtool', ['check', 'rules', file]);
  assert.match(stdout, new RegExp(`SUCCESS: ${curves.length} rules found`));
});
