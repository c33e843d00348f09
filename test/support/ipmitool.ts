// Runs ipmitool, a third party's client.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface ControllerAccess {
  readonly address: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
}

export async function ipmitool(access: ControllerAccess, command: string): Promise<string> {
  const { address, port, username, password } = access;
  const options = ['-I', 'lanplus', '-C', '3', '-H', address, '-p', String(port), '-U', username, '-P', password];
  const { stdout } = await promisify(execFile)('ipmitool', [...options, ...command.split(' ')]);
  return stdout.trim();
}
