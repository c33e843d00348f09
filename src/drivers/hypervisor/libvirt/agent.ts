// Changes settings inside a machine through the QEMU guest agent.
import { setTimeout as pause } from 'node:timers/promises';
import { Type, type Static, type TSchema } from 'typebox';
import { Check } from 'typebox/schema';
import { ApiError } from '#lib/api-error.ts';
import { qemuDomainAgentCommand, type Domain } from '#protocols/libvirt/procedures.ts';
import type { Guest } from '../driver.ts';
import { agentUnresponsive, type Session } from './session.ts';

/** Less than a command may take, so that libvirt reports who did not respond. */
const responseTimeoutSeconds = 5;
const pollIntervalMs = 100;

// systemd stores the hostname in several places; other systems only in the file and the kernel.
const hostnameScript =
  'if command -v hostnamectl >/dev/null 2>&1 && hostnamectl set-hostname "$1" 2>/dev/null; then exit 0; fi; ' +
  'printf "%s\\n" "$1" >/etc/hostname && hostname "$1"';

const ExecStarted = Type.Object({ return: Type.Object({ pid: Type.Integer() }) });
const Done = Type.Object({ return: Type.Object({}) });
const ExecStatus = Type.Object({
  return: Type.Object({ exited: Type.Boolean(), exitcode: Type.Optional(Type.Integer()) }),
});

const pingTimeoutSeconds = 2;
const freezeTimeoutSeconds = 10;
const thawAttempts = 3;

/**
 * Freezes the file systems of a running machine while `work` runs, if its agent responds at once. Returns false if they were
 * not frozen. They are thawed in any case, because an agent that responds late may have frozen them.
 */
export async function runWhileFrozen(session: Session, dom: Domain, work: () => Promise<void>): Promise<boolean> {
  const isResponsive = await askAgent(session, dom, 'guest-ping', pingTimeoutSeconds);
  try {
    const isFrozen = isResponsive && (await askAgent(session, dom, 'guest-fsfreeze-freeze', freezeTimeoutSeconds));
    await work();
    return isFrozen;
  } finally {
    if (isResponsive) await thaw(session, dom);
  }
}

/** Ends a freeze that a process has left, if the machine has an agent. */
export async function thawGuest(session: Session, dom: Domain): Promise<void> {
  if (await askAgent(session, dom, 'guest-ping', pingTimeoutSeconds)) await thaw(session, dom);
}

async function thaw(session: Session, dom: Domain): Promise<void> {
  for (let left = thawAttempts; left > 0; left--)
    if (await askAgent(session, dom, 'guest-fsfreeze-thaw', freezeTimeoutSeconds)) return;
}

/** Returns false if the agent did not do it. Independent of any caller, so that a thaw is never left out. */
async function askAgent(session: Session, dom: Domain, execute: string, timeoutSeconds: number): Promise<boolean> {
  const request = { dom, command: JSON.stringify({ execute }), timeoutSeconds, flags: 0 };
  const limit = AbortSignal.timeout((timeoutSeconds + freezeTimeoutSeconds) * 1000);
  return session.call(qemuDomainAgentCommand, request, limit).then(
    () => true,
    () => false,
  );
}

export function createGuest(session: Session): Guest {
  const runningDomain = (name: string, signal: AbortSignal): Promise<Domain> =>
    session.runningDomain(name, 'change its settings', signal);
  const runCommand = async <S extends TSchema>(
    dom: Domain,
    execute: string,
    args: object,
    schema: S,
    signal: AbortSignal,
  ): Promise<Static<S>> => {
    const command = JSON.stringify({ execute, arguments: args });
    const request = { dom, command, timeoutSeconds: responseTimeoutSeconds, flags: 0 };
    const { result } = await session.call(qemuDomainAgentCommand, request, signal).catch((error: Error) => {
      // Several responses, each in time, can take longer than the command may.
      const isLate = signal.aborted && error instanceof ApiError && error.code === 'node_unreachable';
      throw isLate ? agentUnresponsive(error) : error;
    });
    const response: unknown = JSON.parse(result ?? 'null');
    if (!Check(schema, response))
      throw new ApiError('node_error', { internal: `the guest agent sent an unexpected response to ${execute}` });
    return response;
  };
  return {
    async setHostname(name, hostname, signal) {
      const dom = await runningDomain(name, signal);
      const program = { path: '/bin/sh', arg: ['-c', hostnameScript, 'sh', hostname] };
      const { pid } = (await runCommand(dom, 'guest-exec', program, ExecStarted, signal)).return;
      for (;;) {
        const { exited, exitcode } = (await runCommand(dom, 'guest-exec-status', { pid }, ExecStatus, signal)).return;
        if (exited && exitcode === 0) return;
        if (exited)
          throw new ApiError('node_error', { internal: `setting the hostname failed with exit code ${exitcode}` });
        await pause(pollIntervalMs, undefined, { signal }).catch((error: Error) => {
          throw agentUnresponsive(error);
        });
      }
    },
    async setPassword(name, password, signal) {
      const dom = await runningDomain(name, signal);
      // libvirt's own call for this waits for the agent without a limit.
      const user = { username: 'root', password: Buffer.from(password).toString('base64'), crypted: false };
      await runCommand(dom, 'guest-set-user-password', user, Done, signal);
    },
  };
}
