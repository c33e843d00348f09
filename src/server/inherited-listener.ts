// The API's listener, if a service manager passes one: connections then wait during a restart instead of being refused.

const firstDescriptor = 3;

/** Follows sd_listen_fds(3). If there are several sockets, the one named `api` is ours. */
export function takeInheritedListener(
  environment: NodeJS.ProcessEnv,
): { readonly fd: number; readonly host: string } | undefined {
  const { LISTEN_PID: pid, LISTEN_FDS: count, LISTEN_FDNAMES: names = '' } = environment;
  // Child processes must not use them.
  for (const name of ['LISTEN_PID', 'LISTEN_FDS', 'LISTEN_FDNAMES']) delete environment[name];
  if (pid !== String(process.pid) || !(Number(count) > 0)) return undefined;
  const place = Math.max(0, names.split(':').indexOf('api'));
  // Without a host, Fastify would open listeners on localhost as well.
  return { fd: firstDescriptor + place, host: '' };
}
