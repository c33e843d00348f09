// The built-in name server runs beside the API, not in its event loop.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { before, it } from 'node:test';
import { dig } from '#drivers/dns/conformance.ts';
import { request } from '#test/support/request.ts';
import type { TestApp } from '#test/support/app.ts';
import { dnsCalls } from '#test/support/dns-fixtures.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';

describeOnEngines('the built-in name server', ({ openApp }) => {
  let app: TestApp;
  before(async () => void (app = await openApp()));

  it('answers while the event loop of the API is blocked', async () => {
    const { add, makeZone } = dnsCalls(app, app.lab.customer.key);
    const zone = await makeZone('thread.example.org');
    await add(zone, 'www.thread.example.org', 'A', '192.0.2.7');
    const target = [`@${app.dns.address}`, '-p', String(app.dns.port), '+short', '+time=5', '+tries=1'];
    // Blocks this thread until dig has its answer.
    assert.equal(execFileSync('dig', [...target, 'www.thread.example.org', 'A'], { encoding: 'utf8' }), '192.0.2.7\n');
  });

  it('appears in the metrics', async () => {
    await dig(app.dns, 'missing.thread.example.org', 'A');
    const { body } = await request<string>(app, 'GET', '/metrics', { key: app.lab.operator.key });
    assert.match(body, /^hostyard_dns_up 1$/m);
    assert.match(body, /^hostyard_dns_restarts 0$/m);
    assert.match(body, /^hostyard_dns_queries_total\{transport="udp"\} [1-9]/m);
    assert.match(body, /^hostyard_dns_limited_total\{action="dropped"\} 0$/m);
  });
});
