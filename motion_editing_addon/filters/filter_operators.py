"""Buttons of the filters; what each does is its tool."""

from __future__ import annotations

from bpy.types import Operator

from ...core.cleaning import RemoveOutliers
from ...core.filters import BandPass, CompressRange, ExaggerateMotion, HighPass, LowPass, Smooth, SoftLimit
from ..interface.operators.operator import SLIDING, MotionEditOperator


class MOTIONEDIT_OT_smooth(MotionEditOperator, Operator):
    bl_idname = "motion_editing.smooth"
    bl_label = "Smooth Motion"
    bl_options = SLIDING
    tool = Smooth


class MOTIONEDIT_OT_low_pass(MotionEditOperator, Operator):
    bl_idname = "motion_editing.low_pass"
    bl_label = "Low Pass"
    bl_options = SLIDING
    tool = LowPass


class MOTIONEDIT_OT_high_pass(MotionEditOperator, Operator):
    bl_idname = "motion_editing.high_pass"
    bl_label = "High Pass"
    bl_options = SLIDING
    tool = HighPass


class MOTIONEDIT_OT_band_pass(MotionEditOperator, Operator):
    bl_idname = "motion_editing.band_pass"
    bl_label = "Band Pass"
    bl_options = SLIDING
    tool = BandPass


class MOTIONEDIT_OT_remove_outliers(MotionEditOperator, Operator):
    bl_idname = "motion_editing.remove_outliers"
    bl_label = "Remove Outliers"
    bl_options = SLIDING
    tool = RemoveOutliers


class MOTIONEDIT_OT_exaggerate_motion(MotionEditOperator, Operator):
    bl_idname = "motion_editing.exaggerate_motion"
    bl_label = "Exaggerate Motion"
    bl_options = SLIDING
    tool = ExaggerateMotion


class MOTIONEDIT_OT_soft_limit(MotionEditOperator, Operator):
    bl_idname = "motion_editing.soft_limit"
    bl_label = "Soft Limit"
    bl_options = SLIDING
    tool = SoftLimit


class MOTIONEDIT_OT_compress_range(MotionEditOperator, Operator):
    bl_idname = "motion_editing.compress_range"
    bl_label = "Compress Range"
    bl_options = SLIDING
    tool = CompressRange
