// Issues handover certificates, signed with a key that is created on first use and stored sealed.
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Static } from 'typebox';
import type { Certificate as CertificateShape, CertificateDocument } from '#contract/shapes/certificate.ts';
import { reclaimStepNames } from '#contract/states/servers.ts';
import { ApiError } from '#lib/api-error.ts';
import { publicJwk, signJws, type PublicJwk } from '#lib/jws.ts';
import type { SecretBox } from '#lib/secrets.ts';
import { timeOrderedId } from '#queue/time-ordered-id.ts';
import type { AccountId } from '#store/account-id.ts';
import {
  certificateAssign,
  certificatesInsert,
  certificatesOfService,
  serversWithCertificate,
  type Certificate,
  type Handover,
} from '#store/devices/certificates.ts';
import { reclaimFindings, type Findings, type Reclaim } from '#store/devices/reclaims.ts';
import { serverSerials } from '#store/devices/servers.ts';
import { metaFind, metaInsertOnce } from '#store/meta.ts';
import type { Queries } from '#store/store.ts';
import { getSeller } from '../billing/invoice-parties.ts';
import type { App, Context } from '../app.ts';

const keyEntry = 'certificate key';

type Parts = Pick<App, 'secrets' | 'clock'>;

/** Decoding a key takes longer than signing with it. */
const lastKeys = new WeakMap<SecretBox, { readonly sealed: string; readonly key: KeyObject }>();

async function signingKey(secrets: SecretBox, queries: Queries): Promise<KeyObject> {
  const sealed = (await metaFind(queries, keyEntry)) ?? (await metaInsertOnce(queries, keyEntry, newKey(secrets)));
  const last = lastKeys.get(secrets);
  if (last?.sealed === sealed) return last.key;
  const key = createPrivateKey(secrets.open(sealed, keyEntry));
  lastKeys.set(secrets, { sealed, key });
  return key;
}

function newKey(secrets: SecretBox): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return secrets.seal(privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(), keyEntry);
}

export async function certificateKey({ app, queries }: Context): Promise<PublicJwk> {
  return publicJwk(await signingKey(app.secrets, queries));
}

/** Issues the certificate of a server that was reclaimed, for the customer who left and for the next one. */
export async function issueCertificate(app: Parts, queries: Queries, reclaim: Reclaim): Promise<void> {
  const { server, account_id, service_id, findings } = reclaim;
  const former = { former_account_id: account_id, former_service_id: service_id };
  const holders = { ...former, account_id: null, service_id: null };
  await issue(app, queries, reclaimFindings.decode(findings), [{ server, ...holders }]);
}

/** Gives each service the certificate of the server that it gets. A server without one has had no customer yet. */
export async function handOverCertificates(
  app: Parts,
  queries: Queries,
  handovers: readonly Handover[],
): Promise<void> {
  const certified = await serversWithCertificate(
    queries,
    handovers.map(({ server }) => server),
  );
  const noFormer = { former_account_id: null, former_service_id: null };
  const added: Issue[] = [];
  for (const { server, account, service } of handovers)
    if (!certified.has(server) || !(await certificateAssign(queries, { server, account, service })))
      added.push({ server, ...noFormer, account_id: account, service_id: service });
  await issue(app, queries, undefined, added);
}

type Issue = Omit<Certificate, 'id' | 'issued_at' | 'signed'>;

async function issue(
  { secrets, clock }: Parts,
  queries: Queries,
  findings: Findings | undefined,
  certificates: readonly Issue[],
): Promise<void> {
  if (certificates.length === 0) return;
  const serials = await serverSerials(
    queries,
    certificates.map(({ server }) => server),
  );
  const { name: provider } = await getSeller(queries);
  const key = await signingKey(secrets, queries);
  const rows = certificates.map(({ server, ...holders }) => {
    const issued_at = clock.now();
    const id = timeOrderedId(issued_at);
    const issued = new Date(issued_at).toISOString();
    const known = { certificate: id, provider, server, serial: serials.get(server) ?? '', issued };
    return { id, server, issued_at, signed: signJws({ ...known, ...documentOf(findings) }, key), ...holders };
  });
  await certificatesInsert(queries, rows);
}

type Documented = Omit<CertificateDocument, 'certificate' | 'provider' | 'server' | 'serial' | 'issued'>;

function documentOf(findings: Findings | undefined): Documented {
  const { isolate, users, erase, inventory } = findings ?? {};
  return {
    previouscustomer: findings !== undefined,
    erasure: erasureOf(findings),
    disks: (erase?.disks ?? []).map(({ serial, bytes, method, seconds }) => ({
      serial,
      bytes: String(bytes),
      method: method!,
      seconds: String(seconds),
    })),
    erased: erase?.disks === undefined ? '' : new Date(erase.at).toISOString(),
    bmcusersremoved: String(users?.removed ?? 0),
    bmcusersleft: String(users?.remaining ?? 0),
    firmware: inventory?.firmware ?? {},
    ports: String(isolate?.ports ?? 0),
    signedoff: reclaimStepNames.flatMap((step) => {
      const { at = 0, signedOff } = findings?.[step] ?? {};
      if (signedOff === undefined) return [];
      return [{ step, by: signedOff.operator, reason: signedOff.reason, at: new Date(at).toISOString() }];
    }),
  };
}

function erasureOf(findings: Findings | undefined): CertificateDocument['erasure'] {
  if (findings === undefined) return 'none';
  const { erase } = findings;
  if (erase?.signedOff !== undefined) return 'signedoff';
  return erase?.disks === undefined ? 'waived' : 'erased';
}

/** Returns the certificates of a service: how it got its server, and what happened to it afterwards. */
export async function certificateList(
  { queries }: Context,
  { account_id, id }: { readonly account_id: AccountId; readonly id: number },
): Promise<Static<typeof CertificateShape>[]> {
  const { handover, erasure } = await certificatesOfService(queries, account_id, id);
  const certificates = [
    ...(handover === undefined ? [] : [{ kind: 'handover' as const, ...read(handover) }]),
    ...(erasure === undefined ? [] : [{ kind: 'erasure' as const, ...read(erasure) }]),
  ];
  if (certificates.length === 0)
    throw new ApiError('not_found', { message: 'There is no certificate for this service.' });
  return certificates;
}

function read({ signed }: Certificate): { document: CertificateDocument; signed: string } {
  const payload = Buffer.from(signed.split('.')[1]!, 'base64url').toString();
  return { document: JSON.parse(payload) as CertificateDocument, signed };
}
