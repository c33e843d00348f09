// Which service had which switch port when, so that traffic is shown only to the customer whose it was. What is known about the
// time before is when each current service was created; older traffic of a port belongs to nobody.
import type { Migration } from './migration.ts';

const nowMs = {
  sqlite: "cast(strftime('%s', 'now') as integer) * 1000",
  postgres: 'cast(extract(epoch from now()) as bigint) * 1000',
};

export const portHoldings: Migration = {
  name: '0027-port-holdings',
  statements: ({ id, integer }, engine) => [
    `create table port_holdings (
  id ${id}, port_id ${integer} not null references ports (id), service_id ${integer} references services (id),
  held_from ${integer} not null, held_until ${integer})`,
    'create index port_holdings_of_service on port_holdings (service_id)',
    'create unique index port_holdings_current on port_holdings (port_id) where held_until is null',
    `insert into port_holdings (port_id, service_id, held_from, held_until)
  select ports.id, services.id, services.created_at, null from ports
  join services on services.id = ports.service_id where services.status <> 'Terminated'`,
    `insert into port_holdings (port_id, service_id, held_from, held_until)
  select id, null, 0, ${nowMs[engine]} from ports
  where not exists (select 1 from port_holdings where port_holdings.port_id = ports.id)`,
  ],
};
