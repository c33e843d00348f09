// Finds a service for what concerns its price: also while it is suspended, because a customer can end what they do not pay for.
import { ApiError, requireFound } from '#lib/api-error.ts';
import { dayOf } from '#lib/time.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import { termsOfService, type ServiceTerm } from '#store/billing/service-terms.ts';
import { serviceFind, serviceLoad, type Service } from '#store/devices/services.ts';
import type { Context } from '../app.ts';
import { isServiceVisible } from '../services/limits.ts';

export async function ownService({ queries, caller }: Context, id: number): Promise<Service> {
  const service = await serviceFind(queries, caller.account, id);
  if (service === undefined || !isServiceVisible(caller.services, id)) throw new ApiError('not_found');
  return requireNotTerminated(service);
}

/** For staff. */
export async function anyService({ queries }: Context, id: number): Promise<Service> {
  return requireNotTerminated(requireFound(await serviceLoad(queries, id), 'Service not found.'));
}

/** Finds a service and holds the billing of its account, so that what follows from its terms stays true until the transaction ends. */
export async function holdBilling(
  context: Context,
  find: (context: Context, id: number) => Promise<Service>,
  id: number,
): Promise<Service> {
  await billingAccountLock(context.queries, (await find(context, id)).account_id);
  return find(context, id);
}

function requireNotTerminated(service: Service): Service {
  if (service.status === 'Terminated') throw new ApiError('service_terminated');
  return service;
}

/** Returns all terms of the service, and the one that applies today or begins next, if there is one. */
export async function currentTerms(
  { queries, app }: Pick<Context, 'queries' | 'app'>,
  { account_id, id }: Service,
): Promise<{ readonly terms: ServiceTerm[]; readonly current: ServiceTerm | undefined }> {
  const terms = await termsOfService(queries, account_id, id);
  const today = dayOf(app.clock.now());
  return { terms, current: terms.findLast(({ until_day }) => until_day === null || until_day > today) };
}
