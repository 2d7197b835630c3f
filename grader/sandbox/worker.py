"""The worker: loads one submission, runs programs on it, answers with what it saw.

The only file of the grader that runs student code, and therefore the only one that
runs *beside* it: it imports nothing but the standard library, knows no expected
value, and nobody imports it. It is started as a script and speaks on its own
copies of standard input and output; the student's code finds /dev/null there.

From the grader come frames of marshal (four bytes of length, then the payload):
first a dictionary that describes the submission, then lists of programs. Back go
lines of JSON: one per loaded file, one that says what was found, one per program.

Objects of the student are never compared, hashed, printed or converted here; each
attribute is read once, by primitives that were captured before the import.
"""

import builtins
import io
import marshal
import operator
import os
import sys
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import PathFinder
from itertools import islice

try:  # the C encoder by itself: importing json costs 7 ms, half a start
    from _json import encode_basestring_ascii, make_encoder

    ENCODE = make_encoder(None, None, encode_basestring_ascii, None, ":", ",", False, False, True)
except (ImportError, TypeError):
    from json import JSONEncoder

    ENCODE = JSONEncoder(separators=(",", ":")).iterencode

MAX_NODES, MAX_PARENTS, MAX_TEXT, MAX_KEPT = 2000, 256, 120, 8192
MAX_OUTPUT = 4 << 20

Module = type(sys)
mro_of = type.__dict__["__mro__"].__get__
name_of = type.__dict__["__name__"].__get__
args_of = BaseException.args.__get__
traceback_of = BaseException.__traceback__.__get__
ITERATORS = {set: set.__iter__, frozenset: frozenset.__iter__, tuple: tuple.__iter__, list: list.__iter__}
ITERATORS[dict] = dict.__iter__
BUILTIN_ERRORS = frozenset(id(e) for e in vars(builtins).values() if type(e) is type and BaseException in mro_of(e))


# ---------------------------------------------------------------- reading a student's objects


def type_name(thing):
    return name_of(type(thing))[:60]


def base_of(thing, bases):
    """The first of `bases` that the type of `thing` really derives from, or None."""
    for cls in mro_of(type(thing)):
        for base in bases:
            if cls is base:
                return base
    return None


def number(x):
    """`x` as JSON: a finite float or a small int as itself, everything else as a marked string."""
    kind = type(x)
    if kind is not float:
        if kind is int:
            return x if int.bit_length(x) <= 53 else "~big"
        base = base_of(x, NUMBERS)
        if base is None:
            return "?" + type_name(x)
        if base is not float:
            x = PLAIN[base](x)
            return number(x) if type(x) in (int, float) else "?" + type_name(x)
        x = float.__pos__(x)
    if x - x == 0.0:
        return x
    return "~nan" if x != x else "~inf" if x > 0 else "~-inf"


NUMBERS = [float, int]
PLAIN = {int: int.__pos__}


def know_numpy(module):
    """Count numpy's scalars and 0-d arrays as the numbers they hold."""
    generic, array = module.generic, module.ndarray
    NUMBERS.extend((generic, array))
    PLAIN[generic] = generic.item
    dimensions, item = array.ndim.__get__, array.item
    PLAIN[array] = lambda x: item(x) if dimensions(x) == 0 else x


def text(x):
    """A real string, or one of a class derived from it, as it compares."""
    if type(x) is not str:
        if base_of(x, (str,)) is None:
            return "?" + type_name(x)
        x = str.__str__(x)
    return "=" + plain_text(x[:MAX_TEXT])


def plain_text(x):
    """A string that JSON can carry: halves of surrogate pairs are written out."""
    return x if x.isascii() else x.encode("utf-8", "backslashreplace").decode("utf-8")


def attribute(node, name, convert):
    """One read of one attribute, converted; what it raises is part of the answer."""
    try:
        return convert(getattr(node, name))
    except BaseException as error:
        return "!" + type_name(error)


def failure(step, error):
    """What is told of an exception: type, the text of a built-in one, and the student's line."""
    message, args = "", args_of(error)
    if id(type(error)) in BUILTIN_ERRORS or type(error) in (NotAvailable, Uncallable):
        parts = [a for a in args if type(a) is str]
        message = plain_text(parts[0][:MAX_TEXT]) if parts else ""
    file, line = place_of(error)
    return [step, type_name(error), message, file, line]


def place_of(error):
    """The innermost line of the submission that an exception passed through."""
    trace, place = traceback_of(error), ("", 0)
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if file in SOURCES:
            place = (file, trace.tb_lineno)
        trace = trace.tb_next
    return place


SOURCES = set()


# ---------------------------------------------------------------- what students print


class Output:
    """Standard output for the student's code: the first 8 KiB kept, a limit at 4 MiB."""

    encoding, errors, newlines, softspace = "utf-8", "replace", None, 0

    def __init__(self):
        self.kept, self.room, self.total, self.wanted = [], MAX_KEPT, 0, False

    def write(self, what):
        if type(what) is not str:
            raise TypeError("write() argument must be str, not " + type_name(what))
        self.total += len(what)
        if self.total > MAX_OUTPUT:
            answer(["limit", "output"])
            os._exit(0)
        if self.wanted and self.room > 0:
            self.kept.append(what[: self.room])
            self.room -= len(what)
        return len(what)

    def take(self):
        kept = plain_text("".join(self.kept))
        self.kept, self.room, self.wanted = [], MAX_KEPT, False
        return kept

    def reconfigure(self, **_):
        """Scripts that set an encoding for Russian output do not mean us."""

    def detach(self):
        return self.buffer

    @property
    def buffer(self):
        return Bytes(self)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def flush(self):
        pass

    def close(self):
        pass

    def isatty(self):
        return False

    def writable(self):
        return True

    def readable(self):
        return False

    def fileno(self):
        raise OSError("this output has no file descriptor")


class Bytes(io.RawIOBase):
    """The bytes below an output: what a `TextIOWrapper` around it writes comes to the output."""

    def __init__(self, output):
        self.output = output

    def writable(self):
        return True

    def write(self, what):
        self.output.write(bytes(what).decode("utf-8", "replace"))
        return len(what)


OUTPUT, ERRORS = Output(), Output()


# ---------------------------------------------------------------- modules that a submission may import


class NotAvailable(ImportError):
    """A module that the grader does not have was used, not only imported."""


class Uncallable(Exception):
    """A result's `_backward` is missing or cannot be called without arguments; says what Python would raise."""


class Placeholder:
    """Stands for a module, or a name of one, that is not there; using it raises, importing it does not."""

    def __init__(self, name):
        object.__setattr__(self, "_placeholder_name", name)

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__") and name != "__version__":
            raise AttributeError(name)
        return Placeholder(object.__getattribute__(self, "_placeholder_name"))

    def __setattr__(self, name, value):
        """Settings such as `plt.rcParams = …` go nowhere."""


def refuse(self, *args, **kwargs):
    raise NotAvailable(object.__getattribute__(self, "_placeholder_name"))


for _name in (
    "call iter next len bool getitem setitem contains enter exit add radd sub rsub mul rmul truediv rtruediv "
    "pow rpow matmul neg abs float int index lt le gt ge"
).split():
    setattr(Placeholder, f"__{_name}__", refuse)


Placeholder.__mro_entries__ = refuse
Placeholder.__or__ = Placeholder.__ror__ = lambda self, other: self  # `torch.Tensor | float` in an annotation


class Ipython:
    """What `get_ipython()` gives: takes everything and does nothing."""

    def __getattr__(self, name):
        return self

    def __call__(self, *_, **__):
        return self


class Drawing:
    """The recording stand-in for what graphviz draws: keeps nodes, edges and attributes, draws nothing."""

    def __init__(
        self,
        name=None,
        comment=None,
        filename=None,
        directory=None,
        format=None,
        engine=None,  # noqa: A002
        encoding=None,
        graph_attr=None,
        node_attr=None,
        edge_attr=None,
        body=None,
        strict=False,
        **_,
    ):
        self.name, self.comment, self.filename, self.format, self.engine = name, comment, filename, format, engine
        self.graph_attr, self.node_attr, self.edge_attr = (
            dict(graph_attr or {}),
            dict(node_attr or {}),
            dict(edge_attr or {}),
        )
        self.body, self.nodes_drawn, self.edges_drawn = [], [], []

    def node(self, name, label=None, _attributes=None, **attrs):
        shape = {**self.node_attr, **(_attributes or {}), **attrs}.get("shape", "")
        self.nodes_drawn.append((checked(name), checked(name if label is None else label), checked(shape)))

    def edge(self, tail_name, head_name, label=None, _attributes=None, **attrs):
        self.edges_drawn.append((checked(tail_name).split(":")[0], checked(head_name).split(":")[0]))

    def edges(self, tail_head_iter):
        for tail, head in tail_head_iter:
            self.edge(tail, head)

    def attr(self, kw=None, _attributes=None, **attrs):
        target = {None: self.graph_attr, "graph": self.graph_attr, "node": self.node_attr, "edge": self.edge_attr}.get(
            kw
        )
        if target is None:
            raise ValueError(f"attr statement must target graph, node, or edge: {kw!r}")
        target.update(_attributes or {}, **attrs)

    def subgraph(self, graph=None, *_, **__):
        if graph is None:
            return Inside(self)
        self.nodes_drawn += graph.nodes_drawn
        self.edges_drawn += graph.edges_drawn
        return None

    def render(self, *_, **__):
        return ""

    view = save = unflatten = render

    def pipe(self, *_, **__):
        return b""

    def copy(self):
        other = type(self)()
        other.__dict__.update(self.__dict__, nodes_drawn=list(self.nodes_drawn), edges_drawn=list(self.edges_drawn))
        return other

    @property
    def source(self):
        return "digraph {}"


class Digraph(Drawing):
    """A directed drawing."""


class Graph(Drawing):
    """An undirected one, which `draw_dot` is not to give."""


class Inside:
    """`with dot.subgraph() as part:` draws on the same graph."""

    def __init__(self, graph):
        self.graph = graph

    def __enter__(self):
        return self.graph

    def __exit__(self, *_):
        return None


def checked(name):
    """Graphviz takes strings only, and so do we."""
    if base_of(name, [str]) is None:
        raise TypeError("graphviz expected a string, got " + type_name(name))
    return str.__str__(name)


class Importer:
    """Finds the submission's own files in memory, numpy if allowed, and a placeholder for the rest.

    `engine`, `micrograd.engine` and `.engine` are one module object; in a submission of one
    file, so are all of the lesson's modules.
    """

    def __init__(self, job):
        self.files = {name: (cells, notebook) for name, cells, notebook in job["files"]}
        self.single, self.numpy, self.skipped = job["single"], job["numpy"], set(job["skip"])
        self.substitute = job["substitute"]
        self.packages = {"micrograd", job["name"], *(name.split("/")[0] for name in self.files if "/" in name)}
        self.modules, self.problems, self.origins = {}, [], {}

    def find_spec(self, name, path=None, target=None):
        if name == "graphviz" or name.startswith("graphviz."):
            return ModuleSpec(name, self, is_package=True)
        if name == "numpy" and self.numpy:
            return PathFinder.find_spec(name, [self.numpy])
        file = self.file_of(name)
        if file is None and self.is_folder(name):
            return ModuleSpec(name, self, is_package=True)
        if file is None and not (importing_file() in SOURCES and self.may_stand_in(name)):
            return None  # what the standard library or numpy only tries for is an ordinary ImportError
        return ModuleSpec(name, self, origin=file, is_package=file is None or file.endswith("__init__.py"))

    def may_stand_in(self, name):
        """Not for a part of a package that is really there."""
        first = sys.modules.get(name.split(".")[0])
        return first is None or getattr(first, "__loader__", None) is self or type(first) is Placeholder

    def file_of(self, name):
        """The submission's file that a module name means, or None."""
        *package, stem = name.split(".")
        if package and package[0] not in self.packages:
            return None
        if self.single and (stem in LESSON_FILES or stem == self.single_stem()):
            return self.single
        whole = "/".join((*package, stem))
        inner = "/".join((*package[1:], stem))
        for path in (whole, inner, f"micrograd/{inner}", f"micrograd/{stem}", stem):
            for file in (path + ".py", path + "/__init__.py"):
                if file in self.files:
                    return file
        return None

    def is_folder(self, name):
        """Whether a module name means a folder of the submission that has no `__init__.py`."""
        path = name.replace(".", "/")
        inner = path.partition("/")[2]
        return any(
            f.startswith((path + "/", f"micrograd/{path}/", *([inner + "/"] if inner else []))) for f in self.files
        )

    def single_stem(self):
        return self.single.rsplit("/", 1)[-1].rsplit(".", 1)[0]

    def create_module(self, spec):
        if spec.name.split(".")[0] == "graphviz":
            module = Module(spec.name)
            module.Digraph, module.Graph, module.Source = Digraph, Graph, Drawing
            return module
        file = spec.origin
        if file is None:
            module = Module(spec.name)
            if spec.name not in self.packages and not self.is_folder(spec.name):
                module.__getattr__ = Placeholder(spec.name).__getattr__
            return module
        return self.load(file)

    def exec_module(self, module):
        """Everything has been done by `create_module`."""

    def load(self, file):
        """The one module object of a file; its code runs at the first call."""
        module = self.modules.get(file)
        if module is None:
            dotted, package = dotted_name(file)
            parent, _, stem = dotted.rpartition(".")
            module = sys.modules["micrograd"] if dotted == "micrograd" else Module(dotted)
            module.__package__, module.__file__, module.__builtins__ = dotted if package else parent, file, builtins
            if package:
                module.__path__ = []
            if parent:
                sys.modules.setdefault(dotted, module)
                if parent in sys.modules:
                    setattr(sys.modules[parent], stem, module)
            if file == self.substitute:  # the reference's engine: other names of the student's engine are inert
                module.__getattr__ = Placeholder("micrograd.engine").__getattr__
            self.modules[file] = module
            if file not in self.skipped:
                cells, notebook = self.files[file]
                self.problems += run_cells(file, cells, notebook, module.__dict__)
        return module


def importing_file():
    """The source file of the import statement that is being carried out."""
    frame = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename.startswith("<frozen importlib"):
        frame = frame.f_back
    return frame.f_code.co_filename if frame else ""


def dotted_name(file):
    """The module name of a file, below `micrograd` wherever it lies, and whether it is a package."""
    parts = file.rsplit(".", 1)[0].split("/")
    package = parts[-1] == "__init__"
    parts = parts[:-1] if package else parts
    return ".".join(parts if parts[:1] == ["micrograd"] else ["micrograd", *parts]), package


LESSON_FILES = ("engine", "functions", "graph", "nn")
AST_ONLY = 0x400


def run_cells(file, cells, notebook, namespace):
    """Run a file, or a notebook cell by cell. Definitions made before an exception stay. Returns problems."""
    problems, flags = [], 0
    namespace.setdefault("get_ipython", Ipython())
    if notebook:
        namespace.setdefault("display", Ipython())
    for place, source in enumerate(cells, 1):
        name = f"{file} cell {place}" if notebook else file
        SOURCES.add(name)
        try:
            tree = parse(source, name, notebook)
            flags |= future_flags(tree)
            run_statements(tree, name, namespace, problems, flags)
        except BaseException as error:
            problems.append(load_failure(name, error))
    return problems


def future_flags(tree):
    """The compiler's flags of `from __future__ import …`; in a notebook they hold for later cells too."""
    names = [a.name for s in tree.body if getattr(s, "module", None) == "__future__" for a in s.names]
    flags = 0
    if names:
        import __future__

        for name in names:
            flags |= getattr(getattr(__future__, name, None), "compiler_flag", 0)
    return flags


def parse(source, name, notebook):
    try:
        return compile(source, name, "exec", AST_ONLY, dont_inherit=True)
    except SyntaxError:
        if not notebook:
            raise
        return compile(without_magics(source), name, "exec", AST_ONLY, dont_inherit=True)


def without_magics(source):
    """The cell without its `%`, `!` and `?` lines; their places stay, so that line numbers do."""
    lines = source.split("\n")
    first = next((line.strip() for line in lines if line.strip()), "")
    if first.startswith("%%") and not first.startswith(("%%time", "%%capture", "%%prun")):
        return ""
    for i, line in enumerate(lines):
        bare = line.strip()
        target, equals, value = bare.partition("=")
        if bare.startswith(("%", "!", "?")) or bare.endswith("?"):
            lines[i] = line[: len(line) - len(line.lstrip())] + "pass"
        elif equals and value.lstrip().startswith(("!", "%")) and target.strip().isidentifier():
            lines[i] = line[: len(line) - len(line.lstrip())] + target + "= None"
    return "\n".join(lines)


def run_statements(tree, name, namespace, problems, flags):
    """Run top-level statements. One that *uses* a module that we lack is our gap: note it and go on after it.

    The names that it would have bound stand for what is not there, as the module does.
    """
    while tree.body:
        try:
            exec(compile(tree, name, "exec", flags, dont_inherit=True), namespace)
            return
        except NotAvailable as error:
            problems.append(load_failure(name, error))
            line = top_line(error, name)
            done = next(
                (i for i, statement in enumerate(tree.body) if statement.end_lineno >= line), len(tree.body) - 1
            )
            statement = tree.body[done]
            for target in bound_names(getattr(statement, "targets", [getattr(statement, "target", None)])):
                namespace.setdefault(target, Placeholder(error.args[0]))
            tree.body = tree.body[done + 1 :]


def bound_names(targets):
    """The plain names among the targets of an assignment."""
    for target in targets:
        if hasattr(target, "id"):
            yield target.id
        yield from bound_names(getattr(target, "elts", ()))


def top_line(error, name):
    """The line of the module's own frame in a traceback."""
    trace = traceback_of(error)
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == name and trace.tb_frame.f_code.co_name == "<module>":
            return trace.tb_lineno
        trace = trace.tb_next
    return 1 << 30


def load_failure(name, error):
    _, kind, message, file, line = failure(0, error)
    column = 0
    if base_of(error, [SyntaxError]) is not None:
        message, line, column = str(error.msg)[:MAX_TEXT], error.lineno or 0, error.offset or 0
    return [name, kind, message, line if file == name or column else 0, max(column, 0)]


# ---------------------------------------------------------------- running programs


FAR = 1 << 20
"""Away from 0 and -1, which hash alike, and a multiple of every small set's size."""


class Bench:
    """The submission under test: its `Value`, its functions, and the state of one program."""

    def __init__(self, value, functions):
        self.value, self.functions = value, functions
        self.kinds, self.ordinals, self.calls, self.sign = {}, {}, [], 1
        self.number_nodes()

    def function(self, name):
        """What the submission calls by this name; as in Python, a name that is not there is a NameError."""
        if name not in self.functions:
            raise NameError(f"name '{name}' is not defined")
        return self.functions[name]

    def number_nodes(self):
        """Hash nodes by order of first hashing, so that sets of them iterate alike in every process.

        Only where `Value` has `object`'s own hash, which is the address. A table by id works with `__slots__`;
        it holds the nodes, so that no address is used twice within a program. With `sign` -1 sets iterate
        the other way round, which tells an answer that depends on their order.
        """
        ordinals = self.ordinals

        def ordinal(node):
            entry = ordinals.get(id(node))
            if entry is None:
                entry = ordinals[id(node)] = (FAR + self.sign * len(ordinals), node)
            return entry[0]

        value = self.value
        if base_of(value, [type]) is not None and value.__hash__ is object.__hash__:
            type.__setattr__(value, "__hash__", ordinal)

    def is_node(self, thing):
        """Whether a thing is a `Value`: of its class, a subclass, or a class it derives from."""
        kind = type(thing)
        known, _ = self.kinds.get(id(kind), (None, None))
        if known is None:
            value = self.value
            known = base_of(value, [type]) is not None and (
                any(cls is value for cls in mro_of(kind))
                or (kind is not object and any(cls is kind for cls in mro_of(value)))
            )
            self.kinds[id(kind)] = (known, kind)
        return known

    def run(self, steps):
        """Run one program; the answer is `Observed` of grader/observation.py, as a list."""
        sys.setrecursionlimit(1000)
        self.ordinals.clear()
        self.calls, self.printed, self.dot, self.traced, self.arguments = [], None, None, None, None
        slots, raised = [], None
        for op, args in steps:
            try:
                slots.append(STEPS[op](self, slots, *args))
            except BaseException as error:
                raised = failure(len(slots), error)
                OUTPUT.take()
                break
        observed = self.observe(slots, raised)
        self.ordinals.clear()
        return observed

    def observe(self, slots, raised):
        """The state that a program left behind: what is in its slots, and every node that hangs from them.

        Written out in one loop, since it runs for every node of every program.
        """
        value, is_node, places, order, nodes = self.value, self.is_node, {}, [], []

        def place(thing):
            index = places.get(id(thing))
            if index is None:
                if type(thing) is not value and not is_node(thing):
                    return -1
                index = places[id(thing)] = len(order)
                order.append(thing)
            return index

        results = []
        for thing in slots:
            index = -1 if thing is None else place(thing)
            results.append([index] if index >= 0 else thing if thing is None else self.plain(thing))
        traced = self.see_trace(place)
        for node in order:  # grows while it is walked
            if len(nodes) >= MAX_NODES:
                break
            try:
                data = node.data
            except BaseException as error:
                data = "!" + type_name(error)
            else:
                data = data if type(data) is float and data - data == 0.0 else number(data)
            try:
                grad = node.grad
            except BaseException as error:
                grad = "!" + type_name(error)
            else:
                grad = grad if type(grad) is float and grad - grad == 0.0 else number(grad)
            try:
                held = node._prev
            except BaseException as error:
                container, parents = "!" + type_name(error), []
            else:
                if type(held) is set:
                    container, parents = "set", [place(p) for p in islice(set.__iter__(held), MAX_PARENTS)]
                else:
                    container, parents = self.parents(held, place)
            nodes.append([data, grad, container, parents, attribute(node, "_op", text)])
        return [results, nodes, raised, self.calls, self.printed, self.dot, traced, self.arguments]

    def plain(self, thing):
        """What a step returned that is no node: strings of our own making pass, the rest is a number or a type."""
        if type(thing) is Shown:
            return thing.text
        return number(thing)

    def parents(self, container, place):
        """The name of a container's type, and the places of what it holds."""
        base = base_of(container, ITERATORS)
        if base is None:
            return "?" + type_name(container), []
        found = [place(p) for p in islice(ITERATORS[base](container), MAX_PARENTS)]
        return "?dict" if base is dict else name_of(base), found

    def see_trace(self, place):
        if self.traced is None:
            return None
        containers, (nodes, edges) = self.traced

        pairs = []
        for edge in edges:
            base = base_of(edge, (tuple, list))
            ends = list(islice(ITERATORS[base](edge), 3)) if base else []
            pairs.append([place(ends[0]), place(ends[1])] if len(ends) == 2 else [-1, -1])
        return [containers, [place(n) for n in nodes], pairs]


class Shown:
    """A string that a step observed."""

    def __init__(self, shown):
        self.text = shown


def step_binary(bench, slots, sign, i, j):
    return OPERATORS[sign](slots[i], slots[j])


OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "**": operator.pow}


def step_push(bench, slots, i):
    """Call a node's `_backward`; one that cannot be called without arguments is told apart."""
    try:
        push = getattr(slots[i], "_backward")
    except AttributeError:
        raise Uncallable("AttributeError") from None
    try:
        push()
    except TypeError as error:
        if traceback_of(error).tb_next is None:  # it never got into the function
            raise Uncallable("TypeError") from None
        raise


def step_record(bench, slots, i):
    node, calls = slots[i], bench.calls

    def recorder(*_, **__):
        if len(calls) < 1000:
            calls.append([i, attribute(node, "grad", number)])

    setattr(node, "_backward", recorder)


def step_call(bench, slots, name, i):
    result = bench.function(name)(slots[i])
    if name == "trace":
        pair = base_of(result, (tuple, list))
        parts = list(islice(ITERATORS[pair](result), 3)) if pair else []
        bases = [base_of(part, ITERATORS) for part in parts]
        if len(parts) != 2 or None in bases:
            return result
        bench.traced = (
            [name_of(base) for base in bases],
            [list(islice(ITERATORS[b](p), 2000)) for b, p in zip(bases, parts)],
        )
        return None
    return result


def step_print(bench, slots, i):
    OUTPUT.take()
    OUTPUT.wanted = True
    bench.function("print_graph")(slots[i])
    if sys.stdout is not OUTPUT:
        sys.stdout.flush()  # a wrapper that the submission put around it
    bench.printed = OUTPUT.take()


def step_draw(bench, slots, i, rankdir):
    draw = bench.function("draw_dot")
    dot = draw(slots[i], rankdir=rankdir) if rankdir else draw(slots[i])
    if base_of(dot, [Digraph]) is None:
        return dot
    places = {}

    def place(name):
        return places.setdefault(name, len(places))

    nodes = [[place(name), label[:400], "=" + shape[:MAX_TEXT]] for name, label, shape in islice(dot.nodes_drawn, 2000)]
    edges = [[place(tail), place(head)] for tail, head in islice(dot.edges_drawn, 4000)]
    bench.dot = [text(dot.graph_attr.get("rankdir", "")), nodes, edges]
    return None


def step_slope(bench, slots, rpn, xs, index, *h):
    arguments = [float(x) for x in xs]
    result = bench.function("slope")(function_of(rpn), arguments, index, *h)
    bench.arguments = [number(x) for x in islice(list.__iter__(arguments), 8)]
    return result


def function_of(rpn):
    """A plain float function from reverse Polish order: ints are parameters, floats constants."""

    def function(*args):
        stack = []
        for token in rpn:
            if type(token) is str:
                right, left = stack.pop(), stack.pop()
                stack.append(OPERATORS[token](left, right))
            else:
                stack.append(args[token] if type(token) is int else token)
        return stack.pop()

    return function


STEPS = {
    "number": lambda bench, slots, x: x,
    "leaf": lambda bench, slots, x: bench.function("Value")(x),
    "node": lambda bench, slots, x, parents, op: bench.function("Value")(x, tuple(slots[p] for p in parents), op),
    "labelled": lambda bench, slots, x, parents, op, label: (
        bench.function("Value")(x, tuple(slots[p] for p in parents), op, label=label)
        if parents
        else bench.function("Value")(x, label=label)
    ),
    "binary": step_binary,
    "negate": lambda bench, slots, i: -slots[i],
    "sum": lambda bench, slots, items: sum([slots[i] for i in items]),
    "method": lambda bench, slots, name, i: getattr(slots[i], name)(),
    "backward": lambda bench, slots, i: (slots[i].backward(), None)[1],
    "get": lambda bench, slots, i, name: (
        Shown(text(getattr(slots[i], name))) if name == "label" else getattr(slots[i], name)
    ),
    "set": lambda bench, slots, i, name, x: setattr(slots[i], name, x),
    "push": step_push,
    "record": step_record,
    "call": step_call,
    "print": step_print,
    "draw": step_draw,
    "slope": step_slope,
    "repr": lambda bench, slots, i: Shown(text(repr(slots[i]))),
}


# ---------------------------------------------------------------- the conversation


def answer(what):
    """One line of JSON to the grader, written at once: it always knows which program is running."""
    view = memoryview(("".join(ENCODE(what, 0)) + "\n").encode("ascii"))
    while view:
        view = view[os.write(CHANNEL[1], view) :]


def receive():
    """The next frame from the grader, or None when it has hung up."""
    head = read_exactly(4)
    return marshal.loads(read_exactly(int.from_bytes(head, "big"))) if head else None


def read_exactly(size):
    parts = []
    while size:
        part = os.read(CHANNEL[0], min(size, 1 << 20))
        if not part:
            return b""
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


CHANNEL = []


def take_channel():
    """Keep the pipe for ourselves; whoever uses descriptors 0, 1 and 2 from now on gets the null device."""
    CHANNEL[:] = [os.dup(0), os.dup(1)]
    if os.name == "posix":
        os.chdir("/")
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    if os.name == "nt":
        import msvcrt

        for fd in CHANNEL:
            msvcrt.setmode(fd, os.O_BINARY)
    sys.stdin, sys.stdout, sys.stderr = open(os.devnull, encoding="utf-8"), OUTPUT, ERRORS  # noqa: SIM115
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, OUTPUT, ERRORS


def limit_memory(size):
    """Bound the address space where the platform can; elsewhere the grader watches from outside."""
    if not sys.platform.startswith("linux"):
        return
    import resource

    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    size = size if hard == resource.RLIM_INFINITY else min(size, hard)
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def load(job):
    """Load every file, one line of answer each, then say what the submission defines."""
    importer = Importer(job)
    sys.meta_path.append(importer)
    sys.modules["__main__"] = Module("__main__")
    sys.argv = [job["name"]]
    package = Module("micrograd")
    package.__path__, package.__package__ = [], "micrograd"
    package.__spec__ = ModuleSpec("micrograd", importer, is_package=True)
    sys.modules["micrograd"] = package
    for file in sorted(job["load"], key=lambda name: not name.endswith("__init__.py")):  # a package begins with it
        if file in importer.skipped:
            continue
        answer(["loading", file])
        try:
            importer.load(file)
        except BaseException as error:
            importer.problems.append(load_failure(file, error))
        found, importer.problems = importer.problems, []
        answer(["loaded", file, found])
    numpy = sys.modules.get("numpy")
    if importer.numpy and numpy is not None and hasattr(numpy, "generic"):
        know_numpy(numpy)
    return importer


def find(importer, homes, value):
    """The lesson's names: each from the file that is its home, else from any other file that has it."""
    found = {}
    for name, home in homes:
        ordered = sorted(importer.modules, key=lambda file: importer.file_of("micrograd." + home) != file)
        for file in ordered:
            namespace = importer.modules[file].__dict__
            if name in namespace and type(namespace[name]) is not Placeholder:
                found[name], importer.origins[name] = namespace[name], file
                break
    if value is not None:
        found["Value"] = value
    return found


def reference_value(source):
    """The reference's `Value`, for checks that are carried forward."""
    module = Module("micrograd.engine")
    module.__package__ = "micrograd"
    exec(compile(source, "reference", "exec", dont_inherit=True), module.__dict__)
    return module.Value


def replace_value(importer, value):
    """Put another `Value` in the place of every one that the files have loaded."""
    for module in importer.modules.values():
        if "Value" in module.__dict__:
            module.__dict__["Value"] = value


def main():
    take_channel()
    job = receive()
    if job is None:
        return
    limit_memory(job["memory"])
    importer = load(job)
    value = None
    if job["reference"]:
        value = reference_value(job["reference"])
        replace_value(importer, value)
    found = find(importer, job["homes"], value)
    absent = found.get("Value")
    methods = [name for name in job["methods"] if absent is not None and hasattr(absent, name)]
    bench = Bench(absent, found)
    files = [[name, file] for name, file in importer.origins.items() if name in found]
    answer(["ready", sorted(found), methods, files])
    while (request := receive()) is not None:
        bench.sign, programs = request
        for place, steps in enumerate(programs):
            answer(["answer", place, bench.run(steps)])


if __name__ == "__main__":
    main()
