"""Functions that are optimised once in each function called from Python, and not for themselves as well.

Numba optimises each compiled function and turns it into machine code together with all that it calls, and again within each of
its callers: a function at the bottom of ten others, eleven times. Here what a compiled function calls is only translated, and
linked into the function that is called from Python in the end (the *entry*), which is optimised as a whole. The same function is
an entry, too, once it is called from Python: nothing need be marked.

What operators make of given types is asked once: Numba goes through two dozen possibilities each time a number is read from an
array.

This is the one place that leans on how Numba works inside. ``AVAILABLE`` says whether all that it leans on is there; functions
are compiled in Numba's own way where it is not.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import inspect
import operator
from collections.abc import Iterator
from typing import Any

from numba.core import compiler, sigutils, typing
from numba.core.base import BaseContext
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import _FunctionCompiler
from numba.core.registry import CPUDispatcher

__all__ = ["AVAILABLE", "EntryDispatcher"]

_CALLED = (
    (_FunctionCompiler, "fold_argument_types", "args kws"),
    (CPUDispatcher, "get_call_template", "args kws"),
    (CPUDispatcher, "get_overload", "sig"),
    (CPUDispatcher, "compile", "sig"),
    (JITCodeLibrary, "__init__", "codegen name"),
    (JITCodeLibrary, "finalize", ""),
    (JITCodeLibrary, "_get_module_for_linking", ""),
    (JITCodeLibrary, "add_linking_library", "library"),
    (BaseContext, "insert_user_function", "func fndesc libs"),
    (compiler, "compile_extra", "typingctx targetctx func args return_type flags locals library pipeline_class"),
    (typing, "make_concrete_template", "name key signatures"),
    (typing.Context, "resolve_function_type", "func args kws"),
)
"""What is called or replaced, and its parameters."""
_READ = (
    (CPUDispatcher, "targetdescr targetctx typingctx targetoptions locals _compiler _compiling_counter"),
    (JITCodeLibrary, "_finalized _final_module _linking_libraries"),
    (compiler.Flags, "no_compile no_cpython_wrapper no_cfunc_wrapper"),
)
"""What is read or set."""
_OPERATORS = frozenset((bool, *(getattr(operator, name) for name in operator.__all__)))


class _Translated(JITCodeLibrary):  # type: ignore[misc]
    """Code that is linked into others, neither optimised nor turned into machine code."""

    _whole: Any = None

    def finalize(self) -> None:
        self._finalized = True

    @functools.cached_property
    def called(self) -> list[Any]:
        """The libraries of all that is called from here, each after all those that call it."""
        found: dict[Any, None] = {}
        for library in dict.fromkeys(self._linking_libraries):
            for one in (library, *(library.called if isinstance(library, _Translated) else ())):
                found.pop(one, None)
                found[one] = None
        return list(found)

    def own_module(self) -> Any:
        """The module with this function alone."""
        return super()._get_module_for_linking()

    def _get_module_for_linking(self) -> Any:
        """The module with all that is called; a function that nothing calls yet is left out as it is linked, hence the order."""
        if self._whole is None:
            self._whole = self._final_module.clone()
            for library in self.called:
                part = library.own_module() if isinstance(library, _Translated) else library._get_module_for_linking()
                self._whole.link_in(part, preserve=True)
            for function in self._whole.functions:
                if not function.is_declaration and function.linkage.name == "external":
                    function.linkage = "linkonce_odr"
        return self._whole


@contextlib.contextmanager
def _uncollected() -> Iterator[None]:
    """Collect what the compiler leaves behind afterwards only, which saves an eighth of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@contextlib.contextmanager
def _remembering(context: Any) -> Iterator[None]:
    """Look up only once what an operator, or ``bool``, makes of given types, which saves a third of the time."""
    if "resolve_function_type" in vars(context):  # by the function for which this one is compiled
        yield
        return
    resolve, known = context.resolve_function_type, {}

    def remembered(func: Any, args: Any, kws: Any) -> Any:
        if kws or getattr(func, "typing_key", func) not in _OPERATORS:
            return resolve(func, args, kws)
        key = func, tuple(args)
        if key not in known:
            known[key] = resolve(func, args, kws)
        return known[key]

    context.resolve_function_type = remembered
    try:
        yield
    finally:
        del context.resolve_function_type


class EntryDispatcher(CPUDispatcher):  # type: ignore[misc]
    """A compiled function as usual when it is called from Python, and only translated when compiled code calls it."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._translated: dict[Any, Any] = {}

    def compile(self, sig: Any) -> Any:
        """Compile for these types."""
        with global_compiler_lock, _uncollected(), _remembering(self.typingctx):
            return super().compile(sig)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """The signatures for a call in compiled code, translating the function if it is not yet for these types."""
        pysig, args = self._compiler.fold_argument_types(args, kws)
        self._translate(tuple(args))
        signatures = [result.signature for result in self._translated.values()]
        name = self.py_func.__name__
        return typing.make_concrete_template(f"CallTemplate({name})", key=name, signatures=signatures), pysig, args, {}

    def get_overload(self, sig: Any) -> Any:
        """What stands for the function in compiled code."""
        args, _ = sigutils.normalize_signature(sig)
        return self._key(tuple(args))

    def _key(self, args: Any) -> Any:
        return self, args

    def _translate(self, args: Any) -> None:
        with global_compiler_lock, self._compiling_counter:
            if args in self._translated:
                return
            flags = compiler.Flags()
            self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
            flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
            library = _Translated(self.targetctx.codegen(), self.py_func.__qualname__)
            result = compiler.compile_extra(
                self.typingctx, self.targetctx, self.py_func, args, None, flags, self.locals, library=library
            )
            self.targetctx.insert_user_function(self._key(args), result.fndesc, [library])
            self._translated[args] = result


def _takes(owner: Any, name: str, parameters: str) -> bool:
    """Whether there is such a function, with these parameters."""
    try:
        found = inspect.signature(getattr(owner, name)).parameters
    except (AttributeError, TypeError, ValueError):
        return False
    return [parameter for parameter in found if parameter != "self"] == parameters.split()


def _has(owner: type, names: str) -> bool:
    """Whether the attributes are of the class or set as an object is made."""
    found: set[str] = set()
    for base in owner.__mro__:
        found.update(vars(base))
        if code := getattr(vars(base).get("__init__"), "__code__", None):
            found.update(code.co_names)
    return found.issuperset(names.split())


AVAILABLE = all(_takes(*used) for used in _CALLED) and all(_has(*used) for used in _READ)
