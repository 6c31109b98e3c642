"""From the syntax tree of a program to a graph: each statement is one step of the builder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from symcost.algebra import Posynomial, as_posynomial
from symcost.errors import NotationError, ShapeError, SymcostError
from symcost.model.builder import Graph
from symcost.model.mesh import Mesh
from symcost.model.mesh_text import read_mesh
from symcost.model.operations import operations
from symcost.model.ops.exchange import axes_of
from symcost.model.sizes import first_token, known_dtype, plain_name, read_size, read_type
from symcost.model.tensors import Tensor, TensorType
from symcost.symbols import dim

if TYPE_CHECKING:
    from lark import Token, Tree

    Node = Token | Tree[Token]

TEXT_PARAMS = ("compute", "over", "to")


@contextmanager
def placed(text: str, node: Node) -> Iterator[None]:
    """Give errors that are raised within the place of a node of the tree."""
    try:
        yield
    except SymcostError as error:
        token = first_token(node)
        raise error.at(text, token.start_pos or 0, len(token.rstrip())) from None


class Reader:
    """Walks a syntax tree and builds the graph; knows the text for its messages."""

    def __init__(self, text: str, mesh: Mesh, name: str) -> None:
        self.text = text
        self.graph = Graph(name, mesh)
        self.number = 0  # of the statement
        self.origin = ""

    # -- statements ---------------------------------------------------------------------

    def statements(self, nodes: list[Any]) -> None:
        """Read statements in order; a block's statements are read where it stands."""
        for node in nodes:
            kind = getattr(node, "type", "")
            if kind == "SEND":
                self._begin(node)
                self._send(node)
            elif kind:
                continue  # a mesh, declared before
            elif node.data in ("fused", "repeat"):
                self._block(node)
            else:
                self._begin(node)
                getattr(self, f"_{node.data}")(node)

    def _begin(self, node: Node) -> None:
        self.number += 1
        start = first_token(node).start_pos or 0
        line = self.text[start:].splitlines()[0].partition(";")[0].strip()
        short = line if len(line) <= 60 else line[:57] + "..."
        self.origin = f"statement {self.number}: {short}"

    def declare_mesh(self, token: Token) -> None:
        """``mesh X=4, Y``: sizes of mesh axes; one without a number is a symbol."""
        with placed(self.text, token):
            try:
                said = read_mesh(token[4:])
            except SymcostError as error:
                error.place = None
                raise
            kept = [old for old in self.graph.mesh.axes if old.name not in said]
            self.graph.mesh = Mesh(*kept, *said.axes)

    def _block(self, node: Tree[Token]) -> None:
        head, *body = node.children
        with placed(self.text, head):
            scope = (
                self.graph.fused(head[5:-1].strip())  # type: ignore[index]
                if node.data == "fused"
                else self.graph.repeat(read_size(head, self.text))
            )
            with scope:
                self.statements(body)

    def _send(self, token: Token) -> None:
        words = token.split()
        source = words[3] if words[2] == "from" else ""
        *_, to, _, over = words
        with placed(self.text, token):
            self.graph.send(words[1], to, over, source=source, origin=self.origin)

    def _role(self, node: Tree[Token]) -> None:
        keyword, *targets = node.children
        place, _ = self._tail(targets)
        for target in targets:
            if target.data != "target":  # type: ignore[union-attr]
                continue
            with placed(self.text, target):
                name, kind = self._target(target)  # type: ignore[arg-type]
                if keyword == "output" and kind is None:
                    self.graph.output(name, place=place)
                elif keyword == "output" or kind is None:
                    raise NotationError(
                        f"{keyword} {name} needs {'no' if kind else 'a'} type",
                        repair=f"write {keyword} {name}" + ("" if kind else ": bf16[B, D]"),
                    )
                else:
                    self.graph.declare(name, kind, str(keyword), place)

    def _assign(self, node: Tree[Token]) -> None:
        target, listed, *tails = node.children
        self._statement(listed, target, tails)  # type: ignore[arg-type]

    def _evaluate(self, node: Tree[Token]) -> None:
        listed, *tails = node.children
        target = None
        if tails and tails[0].data == "target":  # type: ignore[union-attr]
            target, *tails = tails
        self._statement(listed, target, tails)  # type: ignore[arg-type]

    def _statement(
        self, listed: Tree[Token], target: Tree[Token] | None, tails: list[Node]
    ) -> None:
        product, *types = listed.children
        place, attrs = self._tail(tails)
        with placed(self.text, target or product), self.graph.on(place):
            name, kind = self._target(target) if target else ("", None)
            operands = self._with_types(product, types)  # type: ignore[arg-type]
            if len(operands) == 1 and target is None and operands[0].data == "target":
                self._declaration(operands[0], place)
            else:
                self._value(product, operands, name, kind, attrs)  # type: ignore[arg-type]

    def _declaration(self, operand: Tree[Token], place: str) -> None:
        name, kind = self._target(operand)
        if kind is None:
            raise NotationError(
                f"the statement {name} does nothing", repair=f"declare it, {name}: bf16[B, D]"
            )
        with placed(self.text, operand):
            self.graph.declare(name, kind, "input", place)

    # -- expressions --------------------------------------------------------------------

    def _with_types(self, product: Tree[Token], types: list[Node]) -> list[Tree[Token]]:
        """The operands; names that were written first get the types that follow."""
        operands: list[Any] = [part for part in product.children if not isinstance(part, str)]
        if not types:
            return operands
        last = operands[-1]
        every = [*last.children[1:], *types]
        bare = [part for part in operands if part.data == "target" and len(part.children) == 1]
        if len(every) != len(operands) or len(bare) != len(operands) - 1:
            raise NotationError(
                f"{len(operands)} operands have {len(every)} types",
                repair="write X @ W: bf16[B, D], bf16[D, F] or X: bf16[B, D] @ W: bf16[D, F]",
            ).at(self.text, first_token(types[-1]).start_pos or 0, len(first_token(types[-1])))
        return [
            type(part)(part.data, [part.children[0], kind])
            for part, kind in zip(operands, every, strict=True)
        ]

    def _value(
        self,
        product: Tree[Token],
        operands: list[Tree[Token]],
        name: str,
        kind: TensorType | None,
        attrs: dict[str, Any],
    ) -> Tensor:
        """Add the operation of a product or call and return its result."""
        if len(operands) == 1:
            return self._single(operands[0], name, kind, attrs)
        tensors = [self._operand(operand) for operand in operands]
        signs = [part for part in product.children if isinstance(part, str)]
        sums = self._sums(signs)
        with placed(self.text, signs[0]):
            extra: dict[str, Any] = {**attrs, "sums": sums} if sums else {**attrs}
            return self.graph.op(
                "contract", *tensors, out=kind, name=name, origin=self.origin, **extra
            )

    def _single(
        self, operand: Tree[Token], name: str, kind: TensorType | None, attrs: dict[str, Any]
    ) -> Tensor:
        if operand.data == "call":
            return self._call(operand, name, kind, attrs)
        if operand.data == "product":
            return self._value(operand, self._with_types(operand, []), name, kind, attrs)
        tensor = self._operand(operand)
        if kind is None:
            raise NotationError(f"{tensor.label} is already a tensor; nothing is computed")
        with placed(self.text, operand):
            return self.graph.op(
                _meaning(tensor.type, kind), tensor, out=kind, name=name, origin=self.origin
            )

    def _call(
        self, call: Tree[Token], name: str, kind: TensorType | None, attrs: dict[str, Any]
    ) -> Tensor:
        word, *arguments = call.children
        kind_name, over = _collective(str(word), self.graph.mesh)
        attrs = {**attrs, **over}
        tensors = []
        for argument in arguments:
            if argument.data == "attr":  # type: ignore[union-attr]
                attrs = {**attrs, **self._attr(argument)}  # type: ignore[arg-type]
            else:
                tensors.append(self._argument(argument))  # type: ignore[arg-type]
        with placed(self.text, word):
            if word == "send" or not tensors:
                raise (
                    NotationError(f"{word} needs an operand", repair=f"write {word}(X)")
                    if not tensors
                    else NotationError(
                        "send is a statement", repair="write send P0 to gpu2 over nvlink"
                    )
                )
            return self.graph.op(
                kind_name, *tensors, out=kind, name=name, origin=self.origin, **attrs
            )

    def _argument(self, product: Tree[Token]) -> Tensor:
        operands = self._with_types(product, [])
        if len(operands) == 1 and operands[0].data == "target":
            return self._operand(operands[0])
        return self._value(product, operands, "", None, {})

    def _operand(self, operand: Tree[Token]) -> Tensor:
        """The tensor of an operand: named before, declared here, or computed here."""
        if operand.data != "target":
            return self._single(operand, "", None, {})
        with placed(self.text, operand):
            name, kind = self._target(operand)
            if kind is None:
                return self.graph.find(name)
            if name in self.graph.tensors:
                return self._again(self.graph.find(name), kind)
            return self.graph.declare(name, kind, "input", "")

    def _again(self, tensor: Tensor, kind: TensorType) -> Tensor:
        if tensor.type is not kind:
            raise ShapeError(
                f"{tensor.name} was {tensor.type} before and is {kind} here",
                repair="write the name alone, or another name",
            )
        return tensor

    # -- words --------------------------------------------------------------------------

    def _target(self, target: Tree[Token]) -> tuple[str, TensorType | None]:
        """The name and type of ``Z: bf16[B]``, ``Z``, ``bf16[B]`` or an untyped ``Z[B]``."""
        first, *rest = target.children
        if isinstance(first, str) and not rest:
            return plain_name(first), None
        tree: Any = rest[0] if rest else first
        untyped, kind = read_type(tree, self.graph.mesh.wholes, self.text)
        if not rest:
            return untyped, kind
        if untyped:
            known_dtype(tree.children[0], self.text)
            raise NotationError(f"{untyped} is no dtype").at(
                self.text, first_token(tree).start_pos or 0, len(untyped)
            )
        return plain_name(str(first)), kind

    def _tail(self, tails: list[Any]) -> tuple[str, dict[str, Any]]:
        place = ""
        attrs: dict[str, Any] = {}
        for tail in tails:
            if tail.data == "place":
                place = str(tail.children[0])
            elif tail.data == "tail":
                attrs.update(self._attr(tail.children[0]))
        return place, attrs

    def _attr(self, attr: Tree[Token]) -> dict[str, Any]:
        word, value = attr.children
        if isinstance(value, str):
            return {str(word): value[1:-1]}
        if word in TEXT_PARAMS:
            return {str(word): "".join(str(part) for part in value.children)}
        if value.data == "several":
            return {str(word): tuple(self._plain(part) for part in value.children)}
        return {str(word): self._plain(value)}

    def _plain(self, value: Any) -> int | Posynomial:
        """A value of a parameter: an int where it is one, otherwise a size."""
        size = read_size(value, self.text)
        if size.is_constant and size.as_fraction().denominator == 1:
            return int(size.as_fraction())
        return size

    def _sums(self, signs: list[Any]) -> tuple[Posynomial, ...]:
        """The dimensions that the product signs name, ``*_D`` or ``·_{D,H}``."""
        words = [w for sign in signs for w in sign[2:].strip("{}").split(",") if w.strip()]
        found = []
        for word in words:
            word = word.strip()
            if not (word.isidentifier() or (word.isdecimal() and len(word) < 30)):
                raise NotationError(f"{word!r} is no dimension").at(
                    self.text, signs[0].start_pos or 0, len(signs[0])
                )
            found.append(as_posynomial(int(word) if word.isdecimal() else dim(word)))
        return tuple(found)


def _collective(word: str, mesh: Mesh) -> tuple[str, dict[str, object]]:
    """The book's spelling: ``AllGather_X``, ``ReduceScatter_{X,K}`` with the dimension K."""
    base, _, suffix = word.rpartition("_")
    found = operations.get(base) if base and word not in operations else None
    if found is None or found.layout is None:
        return word, {}
    names = [name.strip() for name in suffix.strip("{}").split(",")]
    over = [name for name in names if axes_of({"over": name}, mesh, strict=False)]
    dims = [name for name in names if name not in over]
    attrs: dict[str, object] = {"over": over[0] if len(over) == 1 else tuple(over)} if over else {}
    return found.name, {**attrs, **({"axis": as_posynomial(dim(dims[0]))} if dims else {})}


def _meaning(operand: TensorType, result: TensorType) -> str:
    """What an arrow from one tensor to another does: cast, transpose or sum."""
    if operand.shape == result.shape:
        moved = operand.dtype == result.dtype and operand.layout != result.layout
        return "reshard" if moved else "cast"
    return "transpose" if set(operand.shape) == set(result.shape) else "sum"
