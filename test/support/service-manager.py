#!/usr/bin/python3
"""Runs a command as systemd runs a service with FileDescriptorStoreMax=1: service-manager.py SOCKET COMMAND…

Keeps the listener that the command stores, and passes it to the next process. SIGHUP restarts the command.
"""
import os
import signal
import socket
import subprocess
import sys
import threading

place, *command = sys.argv[1:]
manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
manager.bind(place)
stored = []


def receive():
    while True:
        text, descriptors, _, _ = socket.recv_fds(manager, 4096, 1)
        fields = text.decode().split("\n")
        if "FDSTOREREMOVE=1" in fields:
            os.close(stored.pop())
        if "FDSTORE=1" in fields:
            stored.extend(descriptors)
            os.set_inheritable(stored[0], False)
        print(" ".join(fields), flush=True)


def start():
    environment = {**os.environ, "NOTIFY_SOCKET": place}
    if stored:
        environment.update(LISTEN_FDS="1", LISTEN_FDNAMES="api")
    # The shell knows the id of the process before the command starts.
    shell = ["sh", "-c", 'LISTEN_PID=$$ exec "$@"', "sh", *command]
    return subprocess.Popen(shell, env=environment, close_fds=False, preexec_fn=lambda: [os.dup2(fd, 3) for fd in stored])


threading.Thread(target=receive, daemon=True).start()
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP, signal.SIGTERM})
while True:
    child = start()
    received = signal.sigwait({signal.SIGHUP, signal.SIGTERM})
    child.terminate()
    child.wait()
    if received == signal.SIGTERM:
        sys.exit(child.returncode)
