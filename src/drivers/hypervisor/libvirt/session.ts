// A node's daemon in the driver's words: what libvirt's failures mean to a caller, and machines by their names.
import type { Duplex } from 'node:stream';
import { Fault } from '#kernel/fault.ts';
import type { LibvirtClient } from '#wire/libvirt/client.ts';
import { errorCode, LibvirtError } from '#wire/libvirt/error.ts';
import {
  domainDefineXml,
  domainGetXmlDesc,
  domainLookupByName,
  type Domain,
  type Procedure,
} from '#wire/libvirt/procedures.ts';
import { parseXml, writeXml, type Element } from './xml.ts';

export interface Session {
  call<A, R>(procedure: Procedure<A, R>, args: A, signal: AbortSignal): Promise<R>;
  openStream<A>(procedure: Procedure<A, undefined>, args: A, signal: AbortSignal): Promise<Duplex>;
  find(name: string, signal: AbortSignal): Promise<Domain | undefined>;
  /** A Fault `not_found` where there is none. */
  domain(name: string, signal: AbortSignal): Promise<Domain>;
  /** As it runs, or as it will start the next time. */
  describe(dom: Domain, which: 'running' | 'kept', signal: AbortSignal): Promise<Element>;
  /** From the next start on: all of it or nothing. */
  keep(description: Element, signal: AbortSignal): Promise<void>;
}

/** With what else a running machine would hide: the password of its screen, without which it cannot be written back. */
const xmlFlags = { running: 1, kept: 1 | 2 } as const;

export function openSession(client: LibvirtClient): Session {
  const call: Session['call'] = (procedure, args, signal) => told(client.call(procedure, args, signal));
  const find: Session['find'] = async (name, signal) => {
    try {
      return (await client.call(domainLookupByName, { name }, signal)).dom;
    } catch (error) {
      if (isRefusal(error, errorCode.noDomain)) return undefined;
      throw faultOf(error);
    }
  };
  return {
    call,
    openStream: (procedure, args, signal) => told(client.openStream(procedure, args, signal)),
    find,
    async domain(name, signal) {
      const found = await find(name, signal);
      if (found === undefined) throw new Fault('not_found');
      return found;
    },
    describe: async (dom, which, signal) =>
      parseXml((await call(domainGetXmlDesc, { dom, flags: xmlFlags[which] }, signal)).xml),
    keep: async (description, signal) => void (await call(domainDefineXml, { xml: writeXml(description) }, signal)),
  };
}

export function isOn(dom: Domain): boolean {
  return dom.id !== -1;
}

export function isRefusal(error: unknown, code: number): boolean {
  const cause = error instanceof Fault ? error.cause : error;
  return cause instanceof LibvirtError && cause.kind === 'refused' && cause.code === code;
}

async function told<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw faultOf(error);
  }
}

function faultOf(error: unknown): unknown {
  if (!(error instanceof LibvirtError)) return error;
  const detail = { cause: error, internal: error.message };
  switch (error.kind) {
    case 'unreachable':
    case 'timeout':
      return new Fault('node_unreachable', detail);
    case 'refused':
      if (error.code === errorCode.noDomain) return new Fault('not_found', detail);
      if (error.code === errorCode.agentUnresponsive)
        return new Fault('state_conflict', { ...detail, message: agentAway });
      return new Fault('node_error', detail);
    case 'auth':
    case 'badAnswer':
      return new Fault('node_error', detail);
  }
}

const agentAway = 'The machine’s guest agent does not answer: it must be on, booted, and have the agent running.';
