// Explains why an address cannot be listened on, for the doctor and for a start that fails.

export interface ListenProblem {
  readonly message: string;
  readonly fix: string;
}

export function listenProblem(name: string, place: string, code: string): ListenProblem {
  if (code === 'EADDRINUSE')
    return {
      message: `${name} cannot listen on ${place}: another program is using it.`,
      fix: 'Find it with `ss -lnp`, or choose another port.',
    };
  if (code === 'EACCES') {
    const fix = 'Ports below 1024 need CAP_NET_BIND_SERVICE, which the systemd unit grants.';
    return { message: `${name} has no permission to listen on ${place}.`, fix };
  }
  const reason = code === 'EADDRNOTAVAIL' ? 'this machine does not have that address' : code;
  const fix = 'Configure an address of this machine; 0.0.0.0 and [::] mean all addresses.';
  return { message: `${name} cannot listen on ${place}: ${reason}.`, fix };
}

interface ListenError {
  readonly code: string;
  readonly address: string;
  readonly port: number;
}

/** Returns the message of an error that ended a start. */
export function startFailureText(error: unknown): string {
  const { code, address, port, message } = error as Partial<ListenError & Error>;
  if (code === undefined || address === undefined || port === undefined || !/^EA(?:DDR|CCES)/.test(code))
    return message ?? String(error);
  const problem = listenProblem('Hostyard', `${address.includes(':') ? `[${address}]` : address}:${port}`, code);
  return `${problem.message} ${problem.fix}`;
}
