// The shipped files hold what they promise: the systemd unit is locked down, the container file names existing files,
// and alert rules and dashboard use metrics that exist.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { temporaryFolder } from '#test/support/folder.ts';
import { needs } from '#test/support/needs.ts';
import { request } from '#test/support/request.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';

const root = join(import.meta.dirname, '..', '..');
const text = (file: string): string => readFileSync(join(root, file), 'utf8');
const run = promisify(execFile);

describe('the systemd units', needs('systemd-analyze'), () => {
  /** systemd-analyze requires the programs that a unit starts. */
  async function withPrograms(unit: string, folder: string): Promise<string> {
    const file = join(folder, unit);
    const here = text(`packaging/${unit}`)
      .replaceAll('/usr/lib/hostyard', root)
      .replaceAll('/usr/bin/hostyard', join(root, 'packaging/debian/hostyard'))
      .replaceAll('file:///usr/share/doc/hostyard', 'https://hostyard.example/docs');
    writeFileSync(file, here);
    return file;
  }

  test("pass systemd's own checks", async () => {
    await using folder = await temporaryFolder('units');
    for (const unit of ['hostyard.service', 'hostyard-backup.service', 'hostyard-backup.timer']) {
      const file = await withPrograms(unit, folder.path);
      const { stderr } = await run('systemd-analyze', ['verify', '--man=no', file]);
      const warnings = stderr.split('\n').filter((line) => line.includes(folder.path));
      assert.deepEqual(warnings, [], unit);
    }
  });

  test('give the server next to nothing that it does not need', async () => {
    await using folder = await temporaryFolder('units');
    const file = await withPrograms('hostyard.service', folder.path);
    // Of 100, where 0 is fully locked down; fails if the exposure is greater.
    await run('systemd-analyze', ['security', '--offline=true', '--threshold=20', '--no-pager', file]);
    const unit = text('packaging/hostyard.service');
    assert.match(unit, /^CapabilityBoundingSet=CAP_NET_BIND_SERVICE$/m);
    assert.doesNotMatch(unit, /^MemoryDenyWriteExecute=true/m, 'V8 could not start');
  });
});

describe('the container file', () => {
  const lines = text('packaging/Containerfile')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => /^[A-Z]+ /.test(line));
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));

  test('copies only existing files', () => {
    const copied = lines
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
      .flatMap((line) => line.split(/ +/).slice(1, -1));
    assert.ok(copied.includes('src') && copied.includes('package-lock.json'));
    for (const path of copied) assert.ok(existsSync(join(root, path)), path);
  });

  test("runs as an unprivileged user, with a health check and the server's start command", () => {
    assert.ok(last.some((line) => /^USER [1-9][0-9]*:[1-9][0-9]*$/.test(line)));
    assert.ok(last.some((line) => line.startsWith('HEALTHCHECK ') && line.includes('/readyz')));
    const program = JSON.parse(last.findLast((line) => line.startsWith('CMD '))!.slice(4)) as string[];
    assert.ok(existsSync(join(root, program.at(-1)!)));
  });
});

test('the scripts of the Debian package are valid shell', async () => {
  const scripts = globSync('packaging/debian/{hostyard,postinst,prerm,postrm}', { cwd: root });
  assert.equal(scripts.length, 4);
  for (const script of scripts) await run('sh', ['-n', join(root, script)]);
});

describe('monitoring', () => {
  interface Rule {
    readonly alert: string;
    readonly expr: string;
    readonly labels: { readonly severity: string };
    readonly annotations: { readonly runbook: string };
  }
  const runbookSections = ['Impact', 'Diagnosis', 'Fix', 'Verification', 'Pitfalls'];
  const { groups } = parse(text('packaging/alerts.yaml')) as { groups: { rules: Rule[] }[] };
  const rules = groups.flatMap((group) => group.rules);
  const dashboard = JSON.parse(text('packaging/grafana-dashboard.json')) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  const expressions = [
    ...rules.map(({ alert, expr }) => ({ where: alert, expr })),
    ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ where: title, expr }))),
  ];

  let app: TestApp;
  let metrics: string;
  before(async () => {
    app = await openTestApp();
    await request(app, 'GET', '/v2/account', { key: app.lab.customer.key });
    metrics = (await request<string>(app, 'GET', '/metrics', { key: app.lab.operator.key })).body;
  });
  after(() => app[Symbol.asyncDispose]());

  test('use only metrics and labels that Hostyard has', () => {
    const types = new Map([...metrics.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name!, type!]));
    assert.ok(expressions.length > 20);
    for (const { where, expr } of expressions) {
      const used = [...expr.matchAll(/\b((?:hostyard|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)];
      assert.ok(used.length > 0 || expr.startsWith('up{'), where);
      for (const [, metric, selector = ''] of used) {
        const base = types.has(metric!) ? metric! : metric!.replace(/_(?:bucket|count|sum)$/, '');
        assert.ok(types.has(base), `${where} names ${metric}`);
        assert.ok(
          base === metric || types.get(base) === 'histogram',
          `${where}: ${metric} does not belong to a histogram`,
        );
        const sample = new RegExp(`^${metric}\\{([^}]*)\\}`, 'm').exec(metrics)?.[1];
        // Metrics that count rows have labels only if there are rows; `job` and `instance` are Prometheus's own.
        const labels = [...selector.matchAll(/(\w+)\s*[=!]/g)].map(([, label]) => label!);
        for (const label of labels.filter((name) => !['job', 'instance'].includes(name)))
          assert.ok(sample === undefined || sample.includes(`${label}="`), `${where}: ${metric} has no ${label}`);
      }
    }
  });

  test('have a page for each alert, and an alert for each page', () => {
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
      assert.equal(annotations.runbook, `docs/guides/alerts/${alert}.md`);
      const sections = [...text(annotations.runbook).matchAll(/^##? (.+)\n\n(?=[^#\n])/gm)].map(([, title]) => title);
      assert.deepEqual(sections, [titles.get(alert), ...runbookSections]);
    }
    for (const { alert, labels } of rules) assert.match(labels.severity, /^(?:page|ticket)$/, alert);
  });

  test('fire when they should, and not before', needs('promtool'), async () => {
    await run('promtool', ['check', 'rules', join(root, 'packaging/alerts.yaml')]);
    await run('promtool', ['test', 'rules', join(root, 'packaging/alerts-test.yaml')]);
  });
});
