// Hooks that call the customer and operator APIs by operation name.
//
//   const devices = useRead('deviceList', {});
//   const power = useChange('devicePowerSet', { successMessage: 'Power command sent' });
import {
  keepPreviousData,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { notifications } from '@mantine/notifications';
import { createContext, useContext } from 'react';
import type { Methods as CustomerMethods } from '#sdk/v2.ts';
import type { Methods as StaffMethods } from '#sdk/operator.ts';
import { customerApi, staffApi, type Portal } from './session.ts';

type Input<M, Name extends keyof M> = M[Name] extends (input: infer I, ...rest: never[]) => unknown ? I : never;
type ResultOf<M, Name extends keyof M> = M[Name] extends (...input: never[]) => Promise<infer R> ? R : never;
/** What an operation returns. */
export type Result<Name extends keyof CustomerMethods> = ResultOf<CustomerMethods, Name>;
export type StaffResult<Name extends keyof StaffMethods> = ResultOf<StaffMethods, Name>;

export interface ReadOptions {
  readonly enabled?: boolean;
  /** Polling interval, for data that changes without an event. */
  readonly refetchMs?: number;
  /** For responses that cost much to get again. */
  readonly staysFreshMs?: number;
  /** Shows the previous input's response until the next one arrives. */
  readonly keepsPrevious?: true;
}
export interface ChangeOptions {
  /** Shown as a notification. */
  readonly successMessage?: string;
  /** Operations to refetch. All of the portal's by default. */
  readonly invalidates?: readonly string[];
}

/** What an account's pages call: its own API, or staff's for the one device that they show. */
export interface DeviceApi {
  readonly portal: Portal;
  readonly client: () => CustomerMethods & Pick<ReturnType<typeof customerApi>, 'stream'>;
  /** The device that staff show. */
  readonly device?: string;
  /** Of staff, for everything they change; empty until it is given. */
  readonly reason?: string;
}
const DeviceApiContext = createContext<DeviceApi>({ portal: 'customer', client: customerApi });
export const DeviceApiProvider = DeviceApiContext.Provider;
export const useDeviceApi = (): DeviceApi => useContext(DeviceApiContext);

interface ApiInUse<M> {
  readonly portal: Portal;
  readonly client: () => M;
  readonly device?: string;
}

/** Responses are cached by portal, operation and input. The prefix separates operations with the same name. */
export function createApiHooks<M>(useApi: () => ApiInUse<M>, prefix = '') {
  type Call<Name extends keyof M> = (
    input: Input<M, Name>,
    options?: { readonly signal: AbortSignal },
  ) => Promise<ResultOf<M, Name>>;
  const queryOptions = <Name extends keyof M & string>(
    { portal, client, device }: ApiInUse<M>,
    name: Name,
    input: Input<M, Name>,
    { enabled, refetchMs, staysFreshMs, keepsPrevious }: ReadOptions,
  ) => ({
    // Servers in stock have no number by which their responses would differ.
    queryKey: [portal, `${prefix}${name}`, input, ...(device === undefined ? [] : [device])],
    queryFn: ({ signal }: { signal: AbortSignal }) => (client()[name] as Call<Name>)(input, { signal }),
    ...(enabled === undefined ? {} : { enabled }),
    ...(refetchMs === undefined ? {} : { refetchInterval: refetchMs }),
    ...(staysFreshMs === undefined ? {} : { staleTime: staysFreshMs }),
    ...(keepsPrevious === undefined ? {} : { placeholderData: keepPreviousData }),
  });
  return {
    useRead<Name extends keyof M & string>(
      name: Name,
      input: Input<M, Name>,
      options: ReadOptions = {},
    ): UseQueryResult<ResultOf<M, Name>> {
      return useQuery(queryOptions(useApi(), name, input, options)) as UseQueryResult<ResultOf<M, Name>>;
    },
    /** Runs the same query for several inputs, each cached separately. */
    useReads<Name extends keyof M & string>(
      name: Name,
      inputs: readonly Input<M, Name>[],
      options: ReadOptions = {},
    ): UseQueryResult<ResultOf<M, Name>>[] {
      const api = useApi();
      return useQueries({ queries: inputs.map((input) => queryOptions(api, name, input, options)) }) as UseQueryResult<
        ResultOf<M, Name>
      >[];
    },
    useChange<Name extends keyof M & string>(
      name: Name,
      { successMessage, invalidates }: ChangeOptions = {},
    ): UseMutationResult<ResultOf<M, Name>, Error, Input<M, Name>> {
      const cache = useQueryClient();
      const { portal, client } = useApi();
      return useMutation({
        mutationFn: (input: Input<M, Name>) => (client()[name] as Call<Name>)(input),
        onSuccess: async () => {
          if (successMessage !== undefined) notifications.show({ message: successMessage, color: 'teal' });
          const keys = invalidates?.map((operation) => [portal, operation]) ?? [[portal]];
          await Promise.all(keys.map((queryKey) => cache.invalidateQueries({ queryKey })));
        },
      });
    },
  };
}

export const { useRead, useReads, useChange } = createApiHooks<CustomerMethods>(useDeviceApi);
export const { useRead: useStaffRead, useChange: useStaffChange } = createApiHooks<StaffMethods>(() => ({
  portal: 'staff',
  client: staffApi,
}));
