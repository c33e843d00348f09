// The inside of a machine, through the guest agent in it.
import { setTimeout as pause } from 'node:timers/promises';
import { Type, type Static, type TSchema } from 'typebox';
import { Check } from 'typebox/schema';
import { Fault } from '#kernel/fault.ts';
import { domainSetUserPassword, qemuDomainAgentCommand, type Domain } from '#wire/libvirt/procedures.ts';
import type { Guest } from '../driver.ts';
import { isOn, type Session } from './session.ts';

const answerWithinSeconds = 20;
const lookAgainMs = 100;

// systemd keeps it in more than one place; elsewhere the file and the kernel are all there is.
const nameScript =
  'if command -v hostnamectl >/dev/null 2>&1 && hostnamectl set-hostname "$1" 2>/dev/null; then exit 0; fi; ' +
  'printf "%s\\n" "$1" >/etc/hostname && hostname "$1"';

const Started = Type.Object({ return: Type.Object({ pid: Type.Integer() }) });
const Progress = Type.Object({
  return: Type.Object({ exited: Type.Boolean(), exitcode: Type.Optional(Type.Integer()) }),
});

export function guestOf(session: Session): Guest {
  const running = async (name: string, signal: AbortSignal): Promise<Domain> => {
    const dom = await session.domain(name, signal);
    if (!isOn(dom))
      throw new Fault('state_conflict', { message: 'The machine is off: nothing inside can be changed.' });
    return dom;
  };
  const ask = async <S extends TSchema>(
    dom: Domain,
    execute: string,
    args: object,
    answer: S,
    signal: AbortSignal,
  ): Promise<Static<S>> => {
    const command = JSON.stringify({ execute, arguments: args });
    const request = { dom, command, timeoutSeconds: answerWithinSeconds, flags: 0 };
    const { result } = await session.call(qemuDomainAgentCommand, request, signal);
    const told: unknown = JSON.parse(result ?? 'null');
    if (!Check(answer, told))
      throw new Fault('node_error', { internal: `the guest agent answered ${execute} otherwise` });
    return told;
  };
  return {
    async setHostname(name, hostname, signal) {
      const dom = await running(name, signal);
      const program = { path: '/bin/sh', arg: ['-c', nameScript, 'sh', hostname] };
      const started = await ask(dom, 'guest-exec', program, Started, signal);
      for (;;) {
        const { pid } = started.return;
        const { exited, exitcode } = (await ask(dom, 'guest-exec-status', { pid }, Progress, signal)).return;
        if (exited && exitcode === 0) return;
        if (exited) throw new Fault('node_error', { internal: `setting the hostname inside ended with ${exitcode}` });
        await pause(lookAgainMs);
      }
    },
    async setPassword(name, password, signal) {
      const dom = await running(name, signal);
      await session.call(domainSetUserPassword, { dom, user: 'root', password, flags: 0 }, signal);
    },
  };
}
