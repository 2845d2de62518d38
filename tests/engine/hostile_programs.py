"""Two hundred programs that try to hang, to fill memory, or to reach what is outside their interpreter."""

from collections.abc import Iterator


def endless() -> Iterator[str]:
    """Programs that do not end by themselves."""
    bodies = [
        "while True: pass",
        "for i in iter(int, 1): pass",
        "x = 0\nwhile x >= 0: x += 1",
        "while True:\n    try:\n        raise ValueError\n    except ValueError: pass",
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
        "while True:\n    try:\n        pass\n    finally:\n        continue",
        "[i for i in range(10**12) if i < 0]",
        "sum(i for i in range(10**12))",
        "any(False for i in range(10**12))",
        "while 'a' in 'b' * 1000 or True: ''.join(sorted('zyx' * 100))",
        "def gen():\n    while True: yield 1\nfor _ in gen(): pass",
        "def a(n): return b(n)\ndef b(n): return 0 if n == 0 else a(n - 1)\nwhile True: a(20)",
        "d = {}\nwhile True: d[0] = d.get(0, 0) ^ 1",
        "x = [3]\nfor y in x: x.append(y); x = x[-1:]\nwhile 1: pass",
        "max(range(10**12))",
        "list(zip(range(10**12)))[0:0] if False else [0 for _ in range(10**11) if _ < 0]",
        "n = 7\nwhile n != 1.5: n = n * 3 + 1 if n % 2 else n // 2",
        "fib = lambda n: n if n < 2 else fib(n - 1) + fib(n - 2)\nfib(90)",
        "import time\nwhile True: time.sleep(0)",
        "import time\nt = time.time()\nwhile time.time() < t + 1000: pass",
        "import re\nwhile True: re.search('(a+)+$', 'a' * 100 + 'b')",
        "import json\nwhile True: json.loads('[1, 2, 3]')",
    ]
    for body in bodies:
        yield body + "\ndef run(): return 1"
        yield "def run():\n" + "\n".join(f"    {line}" for line in body.splitlines())


def greedy() -> Iterator[str]:
    """Programs that ask for memory without end, or give back too much."""
    expressions = [
        "[0] * 10**10",
        "'a' * 10**10",
        "b'a' * 10**10",
        "bytearray(10**10)",
        "list(range(10**10))",
        "(1,) * 10**10",
        "{i: i for i in range(10**9)}",
        "set(range(10**9))",
        "['x' * 1000 for _ in range(10**7)]",
        "'a'.ljust(10**10)",
        "'a'.replace('a', 'b' * 10**9)",
        "'%1000000000d' % 5",
        "f'{5:1000000000}'",
        "1 << 10**11",
        "2 ** 10**10",
        "10 ** 10**8 * 10 ** 10**8",
        "str(list(range(10**8)))",
        "repr('x' * 10**9)",
        "'x'.join(str(i) for i in range(10**8))",
        "[[0] * 10**4 for _ in range(10**6)]",
        "('a' * 10**7).split('a')",
        "sorted(range(10**8))",
        "list('a' * 10**9)",
        "bytes(10**10)",
        "'\\u1234' * 10**9",
        "tuple(range(10**9))",
        "[*range(10**9)]",
        "dict.fromkeys(range(10**9))",
        "frozenset(range(10**8))",
        "'a'.center(10**10)",
        "'a'.zfill(10**10)",
        "'ab' .encode() * 10**10",
        "[[i] for i in range(10**8)]",
        "'a' * (2**31)",
        "[None] * (2**40)",
        "list(map(str, range(10**8)))",
    ]
    for expression in expressions:
        yield f"def run(): return {expression}"
    for body in (
        "x = []\n    while True: x.append(x)",
        "x = 'a'\n    while True: x += x",
        "x = {}\n    while True: x = {1: x, 2: x}\n    return x",
        "x = ['a']\n    for i in range(60): x = [x, x]\n    return x",
        "x = 'ab'\n    for i in range(60): x = x + x\n    return x",
        "x = 3 ** 100000\n    while True: x = x * x",
        "while True: print('x' * 10000)",
        "while True: print(end='x')",
        "x = []\n    for i in range(10**6): x = [x]\n    return x",
        "x = []\n    x.append(x)\n    return x",
        "return 'x' * 10**6",
        "return list(range(10**5))",
        "return {str(i): i for i in range(10**5)}",
        "print('x' * 10**8)",
        "class A: pass\n    x = []\n    while True: x.append(A())",
        "x = set()\n    while True: x.add(len(x))",
        "return [lambda: i for i in range(10**8)]",
        "x = bytearray()\n    while True: x += b'a' * 100000",
    ):
        yield f"def run():\n    {body}"


def nested() -> Iterator[str]:
    """Programs that go too deep."""
    for size in (1000, 20_000):
        for opened, closed in (
            ("(", ")"),
            ("[", "]"),
            ("-", ""),
            ("not ", ""),
            ("lambda: ", ""),
            ("1+(", ")"),
        ):
            if size > 1000 or opened != "(":  # a thousand brackets are harmless
                yield f"def run(): return {opened * size}1{closed * size}"
    yield "x = " + "[" * 5000
    yield "".join(f"{' ' * depth}if 1:\n" for depth in range(300)) + " " * 300 + "pass"
    for body in (
        "return run()",
        "return [run()]",
        "return run() + 1",
        "return (lambda f: f(f))(lambda f: f(f))",
        "return max([1], key=lambda _: run())",
        "try:\n        run()\n    except RecursionError:\n        run()\n    return run()",
        "return sorted([1, 2], key=lambda _: run())",
        "return f'{run()}'",
    ):
        yield f"def run():\n    {body}"
    yield "class A:\n    def __repr__(self): return repr(self)\ndef run(): return repr(A())"
    yield "class A:\n    def __eq__(self, other): return self == other\ndef run(): return A() == A()"
    yield "import json\ndef run(): return json.loads('[' * 100000)"


def outside() -> Iterator[str]:
    """Programs that want files, sockets, processes, the environment, or other code."""
    for module in (
        "socket",
        "subprocess",
        "ctypes",
        "requests",
        "httpx",
        "urllib.request",
        "http.client",
        "shutil",
        "pickle",
        "threading",
        "multiprocessing",
        "signal",
        "resource",
        "importlib",
        "builtins",
        "inspect",
        "gc",
        "_thread",
        "posix",
        "fcntl",
        "mmap",
        "pty",
        "numpy",
        "parley",
        "parley.settings",
        "pydantic_monty",
        "sqlite3",
        "tempfile",
        "glob",
        "code",
        "marshal",
        "ssl",
        "site",
        "runpy",
        "webbrowser",
        "ftplib",
        "smtplib",
        "select",
        "selectors",
        "concurrent.futures",
        "zipfile",
        "tarfile",
    ):
        yield f"import {module}\ndef run(): return 1"
    for expression in (
        "open('/etc/passwd').read()",
        "open('/etc/passwd', 'w').write('x')",
        "open('x', 'w')",
        "open('/proc/self/environ').read()",
        "open(0).read()",
        "open('/dev/zero').read()",
        "open('../../secrets')",
        "__import__('socket').socket()",
        "__import__('os').fork()",
        "eval('open')('/etc/passwd')",
        "exec('import socket')",
        "compile('1', '', 'eval')",
        "globals()['__builtins__'].open('/etc/passwd')",
        "().__class__.__base__.__subclasses__()[0].nope",
        "run.__globals__['os']",
        "run.__code__.co_code",
        "breakpoint()",
        "input()",
        "(lambda: 0).__closure__[0]",
        "type('X', (), {}).__mro__[1].__subclasses__()",
        "''.__class__.__mro__[1].__subclasses__()",
        "__loader__.load_module('os')",
        "__builtins__.open('/etc/passwd')",
        "memoryview(b'a').obj.nope",
        "exit()",
        "quit()",
    ):
        yield f"def run(): return {expression}"
    for call in (
        "os.system('id')",
        "os.environ['PATH']",
        "os.getenv('PATH')",
        "os.listdir('/')",
        "os.remove('/tmp/x')",
        "os.popen('id')",
        "os.kill(1, 9)",
        "os.fork()",
        "os.execv('/bin/sh', [])",
        "os.open('/etc/passwd', 0)",
        "os.mkdir('/tmp/x')",
        "os._exit(1)",
        "os.urandom(10**10)",
        "os.walk('/').__next__()",
        "os.stat('/etc/passwd')",
        "os.chmod('/etc/passwd', 0)",
    ):
        yield f"import os\ndef run(): return {call}"
    for call in (
        "Path('/etc/passwd').read_text()",
        "Path('/tmp/x').write_text('x')",
        "list(Path('/').iterdir())",
        "Path.home().stat()",
    ):
        yield f"from pathlib import Path\ndef run(): return {call}"
    for call in (
        "sys.exit(1)",
        "sys._getframe()",
        "sys.modules['os']",
        "sys.stdin.read()",
        "sys.settrace(None)",
    ):
        yield f"import sys\ndef run(): return {call}"
    for call in (
        "open_connection('127.0.0.1', 80)",
        "create_subprocess_exec('id')",
        "to_thread(open, '/etc/passwd')",
    ):
        yield f"import asyncio\ndef run(): return asyncio.run(asyncio.{call})"
    yield "import time\ndef run():\n    while True: time.sleep(3600)"
    yield "import asyncio\ndef run():\n    while True: asyncio.run(asyncio.sleep(3600))"


PROGRAMS = [*endless(), *greedy(), *nested(), *outside()]
