// Signed certificates about what happened to a server before a customer got it. One certificate serves two readers: the customer
// who left, and the next one. It identifies neither.
import type { Selectable } from 'kysely';
import { prepared } from '../engine/prepared.ts';
import { preparedInsert } from '../engine/prepared-rows.ts';
import { rowsInBatches, selectWhere } from '../engine/rows.ts';
import type { AccountId } from '../account-id.ts';
import type { Queries } from '../store.ts';
import type { CertificateTable } from './tables.ts';

export type Certificate = Selectable<CertificateTable>;

export const certificatesInsert = preparedInsert('certificates');

/** Returns those of the servers that have a certificate. */
export async function serversWithCertificate(
  queries: Queries,
  servers: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await rowsInBatches(servers, (batch) =>
    queries.selectFrom('certificates').select('server').distinct().where('server', 'in', batch),
  );
  return new Set(rows.map(({ server }) => server));
}

/** A service gets a server. */
export interface Handover {
  readonly server: string;
  readonly account: AccountId;
  readonly service: number;
}

const assign = prepared((queries: Queries, { server, account, service }: Handover) =>
  queries
    .updateTable('certificates')
    .set({ account_id: account, service_id: service })
    .where('id', '=', selectWhere(queries, 'certificates', { server }).select('id').orderBy('id', 'desc').limit(1))
    .where('service_id', 'is', null)
    .returning('id'),
);
/** Gives the server's newest certificate to the service that gets the server. Returns false if there is none to give. */
export async function certificateAssign(queries: Queries, handover: Handover): Promise<boolean> {
  return (await assign(queries, handover)).length > 0;
}

/** Newest first. */
export async function certificatesOfServer(queries: Queries, server: string, limit: number): Promise<Certificate[]> {
  return selectWhere(queries, 'certificates', { server }).selectAll().orderBy('id', 'desc').limit(limit).execute();
}

/** Returns the certificate with which the service got its server, and the one of its end. */
export async function certificatesOfService(
  queries: Queries,
  account: AccountId,
  service: number,
): Promise<{ readonly handover: Certificate | undefined; readonly erasure: Certificate | undefined }> {
  const handover = selectWhere(queries, 'certificates', { account_id: account, service_id: service });
  const erasure = selectWhere(queries, 'certificates', { former_account_id: account, former_service_id: service });
  return {
    handover: await handover.selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst(),
    erasure: await erasure.selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst(),
  };
}
