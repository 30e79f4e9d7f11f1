#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: Clusterbeat contributors
"""Random clicks, keys, wheels, drags and typing on the real window on a virtual screen, seed by seed.

    monkey_window.py PROGRAM [--seeds 20] [--first 1] [--actions 2000] [--size 1366x768] [-- ARGUMENT...]

A seed fails when the program ends with a status other than 0, writes anything to its standard error, or does not end
within 30 s when it is told to quit. The latest actions are printed. Needs Xvfb, xdotool and openbox.
"""
import argparse
import collections
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

KEYS = """space Tab shift+Tab Return Escape Left Right Up Down Home End Page_Up Page_Down comma period shift+comma
shift+period bracketleft bracketright slash f l w a s d 0 1 5 ctrl+z ctrl+shift+z ctrl+b ctrl+shift+b ctrl+0 ctrl+9 ctrl+1
ctrl+2 alt+0 alt+1 alt+2 alt+3 alt+4 alt+5 alt+6 alt+7 alt+8 alt+9 ctrl+alt+1 ctrl+alt+3 ctrl+alt+5 ctrl+alt+0 F1 F2 F6 F9
F10 alt+v alt+w Menu Delete BackSpace ctrl+n ctrl+plus ctrl+minus""".split()
TEXTS = ["8", "7", "0", "-1", "16", "99999999999", "auto", "1.5", "rank 5", "stage 0", "slow GPU", "abc", "NaN"]
# What libraries say about the virtual screen, not about the program.
HARMLESS = ("dbus", "QStandardPaths: XDG_RUNTIME_DIR", "libEGL", "MESA", "AT-SPI", "at-spi")
QUIT_SECONDS = 30


class Screen:
    """Xvfb with a window manager; its display's number is chosen by the server."""

    def __init__(self, size):
        read, write = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", size + "x24", "-nolisten", "tcp"],
                                       pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as pipe:
            self.display = ":" + pipe.readline().strip()
        self.environment = dict(os.environ, DISPLAY=self.display, QT_QPA_PLATFORM="xcb", QT_LINUX_ACCESSIBILITY_ALWAYS_ON="1")
        self.manager = subprocess.Popen(["openbox"], env=self.environment, stderr=subprocess.DEVNULL) if shutil.which("openbox") else None

    def do(self, *words):
        subprocess.run(["xdotool", *map(str, words)], env=self.environment, stderr=subprocess.DEVNULL, check=False)

    def close(self):
        for process in filter(None, (self.manager, self.server)):
            process.terminate()
            process.wait()


class Program:
    """The window, with a home of its own."""

    def __init__(self, screen, command, home, log):
        environment = dict(screen.environment, HOME=home, XDG_CONFIG_HOME=home, XDG_DATA_HOME=home, XDG_RUNTIME_DIR=home)
        self.process = subprocess.Popen(command, env=environment, cwd=home, stderr=log, stdout=subprocess.DEVNULL)

    def running(self):
        return self.process.poll() is None


def choose(chance, width, height):
    """One action: xdotool's words."""
    x, y = chance.randrange(width), chance.randrange(height)
    kind = chance.choice(["click"] * 4 + ["key"] * 4 + ["wheel"] * 2 + ["drag"] * 2 + ["type", "double"])
    if kind == "click":
        return ["mousemove", x, y, "click", chance.choice([1, 1, 1, 1, 1, 3, 2])]
    if kind == "double":
        return ["mousemove", x, y, "click", "--repeat", 2, "--delay", 40, 1]
    if kind == "key":
        return ["key", chance.choice(KEYS)]
    if kind == "wheel":
        words = ["mousemove", x, y, "click", "--repeat", chance.randint(1, 5), "--delay", 5, chance.choice([4, 5])]
        return ["keydown", "ctrl", *words, "keyup", "ctrl"] if chance.random() < 0.3 else words
    if kind == "drag":
        return ["mousemove", x, y, "mousedown", 1, "mousemove", chance.randrange(width), chance.randrange(height),
                "mousemove", chance.randrange(width), chance.randrange(height), "mouseup", 1]
    return ["key", "ctrl+a", "type", "--delay", 5, chance.choice(TEXTS)]


def quit_program(screen, program):
    """Closes dialogs, then the window, without saving. False: it does not answer."""
    end = time.monotonic() + QUIT_SECONDS
    while program.running() and time.monotonic() < end:
        screen.do("key", "--delay", 60, "Escape", "Escape", "Escape", "ctrl+q")
        time.sleep(0.5)
        screen.do("key", "alt+d")           # Discard
        screen.do("key", "--delay", 60, "Right", "Return") if time.monotonic() > end - QUIT_SECONDS / 2 else None
        time.sleep(0.5)
    return not program.running()


def complaints(log):
    log.flush()
    with open(log.name, encoding="utf-8", errors="replace") as lines:
        return [line.rstrip() for line in lines if line.strip() and not any(word in line for word in HARMLESS)]


def run_seed(screen, command, seed, actions, width, height):
    chance = random.Random(seed)
    latest = collections.deque(maxlen=30)
    fault = None
    with tempfile.TemporaryDirectory() as home, open(os.path.join(home, "stderr"), "w", encoding="utf-8") as log:
        program = Program(screen, command, home, log)
        time.sleep(2)
        done = 0
        while done < actions and fault is None:
            if not program.running():
                if program.process.returncode != 0:
                    fault = f"ended with {program.process.returncode}"
                    break
                program = Program(screen, command, home, log)       # closed by a click
                time.sleep(2)
            words = choose(chance, width, height)
            latest.append(" ".join(map(str, words)))
            screen.do(*words)
            done += 1
            if done % 50 == 0 and complaints(log):
                fault = "said: " + complaints(log)[0]
        if fault is None and not quit_program(screen, program):
            fault = "hangs"
        if program.running():
            program.process.send_signal(signal.SIGKILL)
        status = program.process.wait()
        if fault is None and status != 0:
            fault = f"ended with {status}"
        if fault is None and complaints(log):
            fault = "said: " + complaints(log)[0]
    print(f"seed {seed}: {done} actions, {fault or 'well'}", flush=True)
    if fault:
        print("\n".join("  " + each for each in latest), flush=True)
    return fault is None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("arguments", nargs="*")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--actions", type=int, default=2000)
    parser.add_argument("--size", default="1366x768")
    options = parser.parse_args()
    width, height = map(int, options.size.split("x"))
    command = [os.path.abspath(options.program), *options.arguments]
    screen = Screen(options.size)
    try:
        results = [run_seed(screen, command, options.first + i, options.actions, width, height) for i in range(options.seeds)]
    finally:
        screen.close()
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
