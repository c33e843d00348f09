// Who may go on looking at a console that is open: whoever's key still may, at a service that is still theirs to use.
import type { AccountId } from '#store/tables.ts';
import { serviceFind } from '#store/devices/services.ts';
import { scopesNow } from '../account/authentication.ts';
import type { Yard } from '../yard.ts';

export interface ConsoleViewer {
  readonly account_id: AccountId;
  readonly service_id: number;
  readonly key_id: number;
  readonly address: string;
}

export async function viewerMayLook(yard: Yard, viewer: ConsoleViewer): Promise<boolean> {
  const service = await serviceFind(yard.store.queries, viewer.account_id, viewer.service_id);
  if (service?.status !== 'Active') return false;
  return (await scopesNow(yard, viewer.account_id, viewer.key_id, viewer.address)).has('device:console');
}
