// What is shipped beside the program holds: the unit is closed as it claims, the container file names files that are there, and
// rules and dashboard are built of metrics that Hostyard has.
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
import { openTestYard, type TestYard } from '#test/support/yard.ts';

const root = join(import.meta.dirname, '..', '..');
const text = (file: string): string => readFileSync(join(root, file), 'utf8');
const run = promisify(execFile);

describe('the systemd units', needs('systemd-analyze'), () => {
  /** systemd-analyze wants to see the programs that a unit starts. */
  async function withPrograms(unit: string, folder: string): Promise<string> {
    const file = join(folder, unit);
    const here = text(`packaging/${unit}`)
      .replaceAll('/usr/lib/hostyard', root)
      .replaceAll('/usr/bin/hostyard', join(root, 'packaging/debian/hostyard'))
      .replaceAll('file:///usr/share/doc/hostyard', 'https://hostyard.example/docs');
    writeFileSync(file, here);
    return file;
  }

  test('are good in systemd’s own eyes', async () => {
    await using folder = await temporaryFolder('units');
    for (const unit of ['hostyard.service', 'hostyard-backup.service', 'hostyard-backup.timer']) {
      const file = await withPrograms(unit, folder.path);
      const { stderr } = await run('systemd-analyze', ['verify', '--man=no', file]);
      const ours = stderr.split('\n').filter((line) => line.includes(folder.path));
      assert.deepEqual(ours, [], unit);
    }
  });

  test('leave the server next to nothing that it does not need', async () => {
    await using folder = await temporaryFolder('units');
    const file = await withPrograms('hostyard.service', folder.path);
    // Of 100, where 0 is closed altogether; it fails where the exposure is greater.
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

  test('copies only what is there', () => {
    const copied = lines
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
      .flatMap((line) => line.split(/ +/).slice(1, -1));
    assert.ok(copied.includes('src') && copied.includes('package-lock.json'));
    for (const path of copied) assert.ok(existsSync(join(root, path)), path);
  });

  test('ends as an ordinary user, with a health check and what the server is started by', () => {
    assert.ok(last.some((line) => /^USER [1-9][0-9]*:[1-9][0-9]*$/.test(line)));
    assert.ok(last.some((line) => line.startsWith('HEALTHCHECK ') && line.includes('/readyz')));
    const program = JSON.parse(last.findLast((line) => line.startsWith('CMD '))!.slice(4)) as string[];
    assert.ok(existsSync(join(root, program.at(-1)!)));
  });
});

test('the scripts of the Debian package are sound shell', async () => {
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
  const runbookSections = [
    'What it means for customers',
    'How to see it',
    'How to find the cause',
    'How to mend it',
    'How to know that it is over',
    'What not to do',
  ];
  const { groups } = parse(text('packaging/alerts.yaml')) as { groups: { rules: Rule[] }[] };
  const rules = groups.flatMap((group) => group.rules);
  const dashboard = JSON.parse(text('packaging/grafana-dashboard.json')) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  const expressions = [
    ...rules.map(({ alert, expr }) => ({ where: alert, expr })),
    ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ where: title, expr }))),
  ];

  let yard: TestYard;
  let metrics: string;
  before(async () => {
    yard = await openTestYard();
    await request(yard, 'GET', '/v2/account', { key: yard.lab.customer.key });
    metrics = (await request<string>(yard, 'GET', '/metrics', { key: yard.lab.operator.key })).body;
  });
  after(() => yard[Symbol.asyncDispose]());

  test('names only metrics and labels that Hostyard has', () => {
    const types = new Map([...metrics.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name!, type!]));
    assert.ok(expressions.length > 20);
    for (const { where, expr } of expressions) {
      const used = [...expr.matchAll(/\b((?:hostyard|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)];
      assert.ok(used.length > 0 || expr.startsWith('up{'), where);
      for (const [, metric, selector = ''] of used) {
        const base = types.has(metric!) ? metric! : metric!.replace(/_(?:bucket|count|sum)$/, '');
        assert.ok(types.has(base), `${where} names ${metric}`);
        assert.ok(base === metric || types.get(base) === 'histogram', `${where}: ${metric} is of no histogram`);
        const sample = new RegExp(`^${metric}\\{([^}]*)\\}`, 'm').exec(metrics)?.[1];
        // Those that count rows show their labels only where there are rows; `job` and `instance` are Prometheus's own.
        const labels = [...selector.matchAll(/(\w+)\s*[=!]/g)].map(([, label]) => label!);
        for (const label of labels.filter((name) => !['job', 'instance'].includes(name)))
          assert.ok(sample === undefined || sample.includes(`${label}="`), `${where}: ${metric} has no ${label}`);
      }
    }
  });

  test('has a page for each alarm, and an alarm for each page', () => {
    const alarms = rules.map(({ alert }) => alert).toSorted();
    const listed = [
      ...text('docs/alarms.md').matchAll(/^\| \[(\w+)\]\(operating\/(\w+)\.md\) +\| (page|ticket) +\| \S/gm),
    ];
    assert.deepEqual(
      listed.map(([, name, page, severity]) => `${name} ${page} ${severity}`).toSorted(),
      rules.map(({ alert, labels }) => `${alert} ${alert} ${labels.severity}`).toSorted(),
    );
    const pages = globSync('docs/operating/*.md', { cwd: root });
    assert.deepEqual(pages.map((page) => basename(page, '.md')).toSorted(), alarms);
    for (const { alert, annotations } of rules) {
      assert.equal(annotations.runbook, `docs/operating/${alert}.md`);
      const sections = [...text(annotations.runbook).matchAll(/^##? (.+)\n\n(?=[^#\n])/gm)].map(([, title]) => title);
      assert.deepEqual(sections, [alert, ...runbookSections]);
    }
    for (const { alert, labels } of rules) assert.match(labels.severity, /^(?:page|ticket)$/, alert);
  });

  test('sounds its alarms when it should, and not before', needs('promtool'), async () => {
    await run('promtool', ['check', 'rules', join(root, 'packaging/alerts.yaml')]);
    await run('promtool', ['test', 'rules', join(root, 'packaging/alerts-test.yaml')]);
  });
});
