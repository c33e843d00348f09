// Sensors of servers: one series for each server and figure. Servers whose sensors could not be read have none, rather than
// their last ones.
import type { Registry } from 'prom-client';
import { getFaultCounts, getSensorFigures, getSensorStateCounts } from '#app/health/installation.ts';
import type { App } from '#app/app.ts';
import { addDatabaseGauge } from './database-gauge.ts';

export function addSensorGauges(registry: Registry, app: App): void {
  // The gauges are collected at the same time, and share the query.
  let running: ReturnType<typeof getSensorFigures> | undefined;
  const query = () => (running ??= getSensorFigures(app).finally(() => (running = undefined)));
  const addFigure = (name: string, help: string, figure: 'celsius' | 'rpm' | 'watts'): void =>
    addDatabaseGauge(registry, app, {
      name,
      help,
      labelNames: ['server'],
      query,
      set(gauge, rows) {
        for (const { server, [figure]: value } of rows) if (value !== null) gauge.set({ server }, value);
      },
    });
  addFigure('hostyard_server_temperature_celsius', 'The highest temperature of a server', 'celsius');
  addFigure('hostyard_server_fan_rpm', 'The slowest fan of a server', 'rpm');
  addFigure('hostyard_server_power_watts', 'The power draw of a server', 'watts');
  addDatabaseGauge(registry, app, {
    name: 'hostyard_hardware_faults',
    help: 'Broken parts of a server; servers without any have no series',
    labelNames: ['server', 'kind', 'severity'],
    query: () => getFaultCounts(app),
    set(gauge, counts) {
      for (const { count, ...labels } of counts) gauge.set(labels, count);
    },
  });
  addDatabaseGauge(registry, app, {
    name: 'hostyard_sensors',
    help: 'Servers by whether their sensors could be read at the last check',
    labelNames: ['state'],
    query: () => getSensorStateCounts(app),
    set(gauge, counts) {
      for (const [state, count] of Object.entries(counts)) gauge.set({ state }, count);
    },
  });
}
