"""What a lane of the strip has to say; knows neither Blender nor NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from bpy.types import Context

    from ..drawing.shapes import Picture, Placement
    from ..drawing.theme import Colour, Palette


Shown = TypeVar("Shown")


class Row(NamedTuple):
    """A named row of a lane, heights in pixels at a UI scale of 1 above the lane's lower edge.

    Where `over_content` is set, something may lie under the name: it has a plate and keeps to the upper corner.
    """

    name: str
    colour: Colour
    bottom: float
    height: float
    over_content: bool = False


class Mark(NamedTuple):
    """A short word of a scale at the left edge, its height in pixels at a UI scale of 1; higher ranks go first."""

    text: str
    height: float
    rank: int = 0


class Lane:
    """One lane. Whatever `hit` gives back is its item: hashable, compared, and handed to everything else.

    Heights are in pixels at a UI scale of 1; in a low region a lane is squeezed, down to
    `least_share` of its height.

    Attributes:
        name: Unique; under it the lane is removed and shown or hidden.
        label: What the user reads beside the toggle.
        order: Lanes with lower numbers lie further down.
        least_share: Part of its height that the lane can still be read at.
        deletes: Delete and X over the lane are about its items; they never reach the keys below it.
        menu_title: What the entries of its menu are for.
        menu_hint: What mouse and keys do in its menu.
    """

    name = ""
    label = ""
    order = 0
    least_share = 1.0
    deletes = False
    menu_title = ""
    menu_hint = "Click: Choose    Esc: Close"

    @property
    def height(self) -> float:
        """Height that the lane would like; asked after `update`."""
        raise NotImplementedError

    def update(self, context: Context, colours: Palette) -> bool:
        """Look at what the lane shows; False if there is nothing. Called at every redraw: must be quick."""
        raise NotImplementedError

    def note(self, context: Context) -> str:
        """Why there is nothing to show, in one line, "what: how to end it"; asked where `update` gave False."""
        return ""

    def content(self) -> Picture:
        """What to draw, places in (scene frames, height). The same object as long as nothing changed."""
        raise NotImplementedError

    def pictures(self, _placement: Placement) -> tuple[Picture, ...]:
        """The content as it is drawn at a place, for lanes that show more of it where there is more room."""
        return (self.content(),)

    def rows(self) -> tuple[Row, ...]:
        """Rows with a name at the left edge."""
        return ()

    def marks(self) -> tuple[Mark, ...]:
        """Words of a scale beside the rows' names; where they are crowded some are left out."""
        return ()

    def highlight(self, item: Any) -> Picture | None:
        """What to draw over the content while the mouse is over an item or drags it."""
        return None

    def hit(self, x: float, y: float, placement: Placement) -> Any:
        """The item at a pixel of the region, or None; tolerances are in pixels times `placement.pixel`."""
        return None

    def frame_of(self, item: Any) -> float:
        """Scene frame at which an item is: where it is grabbed."""
        raise NotImplementedError

    def tooltip(self, item: Any) -> str:
        """One line about an item."""
        return ""

    def progress(self, item: Any, distance: float) -> str:
        """How far a drag has come, in frames, for the editor's header."""
        return f"moved by {distance:+.2f} frames"

    def hint(self, item: Any) -> str:
        """What mouse and keys would do with the item, for the status bar."""
        return ""

    def is_ground(self, item: Any) -> bool:
        """Whether the item covers the lane's ground: double-clicks and Delete take it for an empty part."""
        return False

    def can_drag(self, item: Any) -> bool:
        """Whether the item can be moved along the frames."""
        return True

    def grabbed(self, item: Any, _frame: float) -> Any:
        """What a press takes hold of: the item, or something new that begins on the ground at this frame."""
        return item

    def clicked(self, context: Context, item: Any) -> bool:
        """The item was clicked without moving the mouse; True if that is a step to undo."""
        return False

    def clicked_too(self, context: Context, item: Any) -> bool:
        """The item was clicked with Shift: one more, or one less; True if that is a step to undo."""
        return self.clicked(context, item)

    def box(self, first: float, last: float) -> Any:
        """The item that shows what is framed between two frames; None for lanes in which nothing can be."""
        return None

    def boxed(self, context: Context, first: float, last: float) -> bool:
        """Everything between two frames was framed; True if that is a step to undo."""
        return False

    def dragged(self, context: Context, item: Any, frame: float) -> None:
        """The item is being dragged and would now be at this frame."""

    def dropped(self, context: Context, item: Any, frame: float) -> bool | None:
        """The item was let go at this frame: the edit is made; True if an operator goes on with it by itself.

        Such an operator has an undo step and a report of its own.
        """

    def cancelled(self, context: Context) -> None:
        """The drag was given up: everything as before."""

    def double_clicked(self, context: Context, frame: float, ground: Any = None) -> bool:
        """An empty part was double-clicked, with the ground there if it is an item; True if something was made."""
        return False

    def item_double_clicked(self, context: Context, item: Any) -> bool:
        """An item was double-clicked; False leaves it to Blender."""
        return False

    def deleted(self, context: Context, item: Any) -> None:
        """The item shall go. Only for lanes with `deletes`."""

    def brush(self, item: Any) -> bool:
        """A stroke of the brush begins here; False leaves it to Blender."""
        return False

    def brushed(self, context: Context, item: Any) -> bool:
        """The brush came over an item; True if something changed."""
        return False

    def target(self, x: float, placement: Placement) -> Any:
        """What a feature is dropped on at this pixel; None for all of the lane."""
        return None

    def menu_source(self, _item: Any, x: float, placement: Placement) -> Any:
        """What a right click on an item, or beside all of them, is about; None for no menu."""
        return self.target(x, placement)

    def menu(self, context: Context, source: Any) -> tuple[tuple[str, str], ...]:
        """Identifiers and labels of the features that a right click on a source offers; empty for no menu."""
        return ()

    def everything(self, source: Any) -> Any:
        """What lights up where a feature of the source would reach all of the lane; None for nothing."""
        return None

    def chosen(self, context: Context, identifier: str, source: Any, target: Any) -> bool | None:
        """A feature of the source was dropped on a target, or clicked: then the target is None.

        True if an operator goes on with it by itself, as for `dropped`.
        """


class PicturedLane(Lane, Generic[Shown]):
    """A lane that keeps what it shows as one picture, made by `update` and asked by everything else."""

    _made: Shown | None = None

    @property
    def _picture(self) -> Shown:
        """There is one wherever `update` has found something to show."""
        assert self._made is not None
        return self._made
